import { fileTypes, fileTypesAnswer } from "../messages/fileTypes.js";
import { route } from "../route.js";

const listFileTypes = route({
  method: "GET",
  path: "/api/indexing/file-types",
  access: "serviceAccount",
  handle(context) {
    context.body = fileTypes;
  },
  description: {
    tag: "Documents",
    summary: "List file types",
    success: {
      description: "Every value of `file_type`.",
      schema: fileTypesAnswer,
      example: fileTypes,
    },
  },
});

/** What `file_type` of a document can be (spec: Datasources, GET /file-types). */
export const fileTypeRoutes = [listFileTypes];
