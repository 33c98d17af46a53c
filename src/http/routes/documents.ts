import { toDatasourceName, toDocumentId, toEmail } from "../../shared/ids.js";
import { checkCheckAccess } from "../../validation/requestBodies.js";
import { success, type Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import { checked, valueOf } from "../envelopes.js";
import type { DocumentsRequest } from "../ports.js";
import { toArrayIndexAnswer, toSingleIndexAnswer } from "../representations.js";
import { readBody } from "../requestBody.js";
import type { DescribedRoute, RouteServices } from "../route.js";
import {
  consistencyHeader,
  datasourceInPath,
  documentIdInPath,
  forbidden,
  notFoundDatasource,
  notYetConsistent,
  schemaOf,
} from "./descriptions.js";

/** Bodies from here on ask for memory first. */
const reserveFrom = 1_048_576;
const advice = "Send fewer documents in one request.";

async function index(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const documents = await readDocuments(request, services);
  const { commands } = services;
  if (documents.form === "single") {
    const { value, position } = valueOf(await commands.indexDocument(documents.document, request.context));
    return success(toSingleIndexAnswer(documents.document.datasource, value), position);
  }
  const { value, position } = await commands.indexDocuments(documents.documents, request.context);
  return success(toArrayIndexAnswer(value), position);
}

async function readDocuments(
  request: ApiRequest,
  { intake, memory, maxBodyBytes }: RouteServices,
): Promise<DocumentsRequest> {
  const body = await readBody(request.incoming, request.outgoing, {
    maxBytes: maxBodyBytes,
    advice,
    reserveFrom,
    reserve: (bytes) => memory.reserve(bytes),
  });
  try {
    return checked(await intake.read(body.bytes));
  } finally {
    body.release();
  }
}

async function remove(request: ApiRequest, { commands }: RouteServices): Promise<Answer> {
  const command = {
    datasource: request.datasourceParameter("datasource"),
    documentId: request.documentIdParameter("document_id"),
  };
  const { position } = valueOf(await commands.deleteDocument(command, request.context));
  return success({ status: "ok" }, position);
}

async function checkAccess(request: ApiRequest, { queries }: RouteServices): Promise<Answer> {
  const { datasource, document_id, user_email } = await request.body(checkCheckAccess);
  const name = toDatasourceName(datasource);
  request.requireDatasource(name);
  const question = {
    datasource: name,
    documentId: toDocumentId(document_id),
    email: toEmail(user_email),
    atLeast: request.atLeast,
  };
  const { hasAccess } = valueOf(await queries.checkAccess(question));
  return success({ has_access: hasAccess, datasource, document_id, user_email });
}

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

/** Documents and who may see them (spec: Documents). */
export const documentRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/indexing/documents",
    access,
    handle: index,
    description: {
      tag,
      summary: "Index one document or many",
      description:
        "An array is the bulk form: processed in order, and a failure of one document does not stop the others; what became of each is in `results`. A body that fails request validation is refused as a whole.",
      body: { schemas: ["IndexDocumentMessage", "IndexDocumentsMessage"], example: { documents: document } },
      success: {
        description: "What became of each document.",
        schema: schemaOf("DocumentIndexAnswer"),
        example: toSingleIndexAnswer("handbook", {
          documentId: toDocumentId(document.id),
          outcome: "sent",
          message: "document sent to the indexing pipeline.",
        }),
        carriesToken: true,
      },
      failures: {
        403: forbidden,
        404: "Single form only: the datasource does not exist.",
        413: "The body is too large, or, in the single form, what has to be recorded beside the text is: name groups instead of thousands of users.",
        415: "The body is not JSON.",
      },
    },
  },
  {
    method: "DELETE",
    path: "/api/indexing/documents/{datasource}/{document_id}",
    access,
    handle: remove,
    description: {
      tag,
      summary: "Delete a document",
      parameters: [datasourceInPath, documentIdInPath],
      success: {
        description: "It is gone, whether it was there or not.",
        schema: schemaOf("DoneAnswer"),
        carriesToken: true,
      },
      failures: { 403: forbidden, 404: notFoundDatasource },
    },
  },
  {
    method: "POST",
    path: "/api/indexing/documents/check-access",
    access,
    handle: checkAccess,
    description: {
      tag,
      summary: "Ask whether a person may see a document",
      description:
        "Resolves groups transitively and looks into the search index: a document that is still being processed is not found.",
      parameters: [consistencyHeader],
      body: { schemas: ["CheckAccessMessage"], example: question },
      success: {
        description: "The decision.",
        schema: schemaOf("CheckAccessAnswer"),
        example: { has_access: true, ...question },
      },
      failures: {
        403: forbidden,
        404: "The datasource does not exist, or the index holds no such document.",
        503: notYetConsistent,
      },
    },
  },
];
