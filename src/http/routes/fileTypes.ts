import { fileTypes } from "../../validation/messages/documentMessages.js";
import { success } from "../answer.js";
import type { DescribedRoute } from "../route.js";

/** What `file_type` of a document can be (spec: Datasources, GET /file-types). */
export const fileTypeRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/api/indexing/file-types",
    access: "serviceAccount",
    handle: () => success(fileTypes),
    description: {
      tag: "Documents",
      summary: "List file types",
      success: {
        description: "Every value of `file_type`.",
        schema: { type: "array", items: { type: "string", enum: fileTypes } },
        example: fileTypes,
      },
    },
  },
];
