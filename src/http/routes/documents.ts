import { ok } from "../../shared/result.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../shared/ids.js";
import { documentsBody } from "../body/documentsBody.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { valueOf } from "../envelopes.js";
import { requireDatasource } from "../middleware/authentication.js";
import { toArrayIndexAnswer, toSingleIndexAnswer } from "../representations.js";
import { schemaErrorAnswer } from "../messages/errors.js";
import { route } from "../route.js";
import { datasourceInPath, documentIdInPath, forbidden, notFoundDatasource, notYetConsistent } from "./descriptions.js";
import { checkAccessAnswer, checkAccessMessage } from "../messages/checkAccess.js";
import { documentIndexAnswer } from "../messages/documentIndexAnswer.js";
import { doneAnswer } from "../messages/doneAnswer.js";

const document = {
  datasource: "handbook",
  id: "travel-2024.md",
  title: "Travel expenses",
  body: { mime_type: "text/markdown", text_content: "Send receipts within a month." },
  file_type: "markdown",
  path_preview: "https://handbook.example.org/travel",
  last_modified: "2024-05-01T09:30:00Z",
  data_source_sub: "human_resources",
  permissions: { allowed_users: [{ email: "ada@example.org" }], allowed_groups: ["staff"] },
  custom_properties: [{ name: "owner", value: "Ada" }],
};
const question = { datasource: "handbook", document_id: "travel-2024.md", user_email: "ada@example.org" };

const tag = "Documents";
const access = "serviceAccount";

const indexDocuments = commandRoute({
  method: "POST",
  path: "/api/indexing/documents",
  access,
  body: documentsBody,
  answersAtOnce: true,
  toCommand: ({ body }) => body,
  run: async (request, context, commands) => {
    if (request.form === "array") return ok(await commands.indexDocuments(request.documents, context));
    const indexed = await commands.indexDocument(request.document, context);
    return indexed.ok ? ok({ ...indexed.value, value: [indexed.value.value] }) : indexed;
  },
  toAnswer: (indexed, request) =>
    request.form === "single" ? toSingleIndexAnswer(request.document.datasource, indexed) : toArrayIndexAnswer(indexed),
  description: {
    tag,
    summary: "Index one document or many",
    description:
      "An array is the bulk form: processed in order, and a failure of one document does not stop the others; what became of each is in `results`. A body that fails request validation is refused as a whole.",
    example: { documents: document },
    success: {
      description: "What became of each document.",
      schema: documentIndexAnswer,
      example: toSingleIndexAnswer("handbook", [
        {
          documentId: toDocumentId(document.id),
          outcome: "sent",
          message: "document sent to the indexing pipeline.",
        },
      ]),
    },
    failures: {
      403: forbidden,
      404: "Single form only: the datasource does not exist.",
      413: "The body is too large, or, in the single form, what has to be recorded beside the text is: name groups instead of thousands of users.",
      415: "The body is not JSON.",
    },
    otherInvalid: schemaErrorAnswer,
  },
});

const deleteDocument = commandRoute({
  method: "DELETE",
  path: "/api/indexing/documents/{datasource}/{document_id}",
  access,
  params: [datasourceInPath, documentIdInPath],
  answersAtOnce: true,
  toCommand: ({ params: { datasource, document_id } }) => ({
    datasource: toDatasourceName(datasource),
    documentId: toDocumentId(document_id),
  }),
  run: (command, context, commands) => commands.deleteDocument(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Delete a document",
    success: { description: "It is gone, whether it was there or not.", schema: doneAnswer },
    failures: { 403: forbidden, 404: notFoundDatasource },
  },
});

const checkAccess = route({
  method: "POST",
  path: "/api/indexing/documents/check-access",
  access,
  body: jsonBody(checkAccessMessage),
  isConsistent: true,
  async handle(context, { body: { datasource, document_id, user_email } }) {
    const name = toDatasourceName(datasource);
    requireDatasource(context, name);
    const asked = {
      datasource: name,
      documentId: toDocumentId(document_id),
      email: toEmail(user_email),
      atLeast: context.state.atLeast,
    };
    const { hasAccess } = valueOf(await context.services.queries.checkAccess(asked));
    context.body = { has_access: hasAccess, datasource, document_id, user_email };
  },
  description: {
    tag,
    summary: "Ask whether a person may see a document",
    description:
      "Resolves groups transitively and looks into the search index: a document that is still being processed is not found.",
    example: question,
    success: {
      description: "The decision.",
      schema: checkAccessAnswer,
      example: { has_access: true, ...question },
    },
    failures: {
      403: forbidden,
      404: "The datasource does not exist, or the index holds no such document.",
      503: notYetConsistent,
    },
  },
});

/** Documents and who may see them (spec: Documents). */
export const documentRoutes = [indexDocuments, deleteDocument, checkAccess];
