import type { CommandContext, Commands, IndexedDocument } from "../../../commands/commands.js";
import { failed, ok } from "../../shared/result.js";
import { toDatasourceName, toDocumentId, toEmail } from "../../shared/ids.js";
import { documentsBody } from "../body/documentsBody.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { toRefusal, valueOf } from "../envelopes.js";
import { mayUse, requireDatasource } from "../middleware/authentication.js";
import { toArrayIndexAnswer, toSingleIndexAnswer, toSingleTrialAnswer } from "../representations.js";
import { schemaErrorAnswer } from "../messages/errors.js";
import type { DocumentsRequest, RefusedDocument } from "../ports.js";
import { route, type QueryParameters } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import type { Issue } from "../validation/issue.js";
import { flagIn } from "../validation/parameters.js";
import { datasourceInPath, documentIdInPath, forbidden, notFoundDatasource, notYetConsistent } from "./descriptions.js";
import {
  checkAccessAnswer,
  checkAccessesAnswer,
  checkAccessesMessage,
  checkAccessMessage,
  type CheckedAccess,
} from "../messages/checkAccess.js";
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

const wouldBeSent = "Nothing was written: the document would be sent to the indexing pipeline.";

const tag = "Documents";
const access = "serviceAccount";

/** In the order of the array: what became of those that were tried, and the others at their places. */
function withRefused(
  indexed: readonly IndexedDocument[],
  refused: readonly RefusedDocument[],
): readonly IndexedDocument[] {
  if (refused.length === 0) return indexed;
  const tried = indexed.values();
  const failures = new Map(refused.map(({ at, ...failure }) => [at, { ...failure, outcome: "failed" as const }]));
  return Array.from(
    { length: indexed.length + refused.length },
    (_, at) => failures.get(at) ?? (tried.next().value as IndexedDocument),
  );
}

const neverWidenQuery: QueryParameters<boolean> = {
  parameters: [
    inQuery(
      "never_widen",
      "A document that is restricted, and that this push would open to every registered user, is refused: 409 for a single document, `failed` in an array.",
      { type: "boolean", default: false },
    ),
  ],
  check(parameters) {
    const issues: Issue[] = [];
    const flag = flagIn(parameters, "never_widen", issues);
    return issues.length > 0 ? failed(issues) : ok(flag);
  },
};

/** Documents as the body names them, carried out or only decided. */
const decideDocuments = {
  method: "POST",
  access,
  body: documentsBody,
  answersAtOnce: true,
  query: neverWidenQuery,
  toCommand: ({ body, query }: { readonly body: DocumentsRequest; readonly query: boolean }) => ({
    ...body,
    neverWidens: query,
  }),
  run: async (
    { neverWidens, ...request }: DocumentsRequest & { readonly neverWidens: boolean },
    by: CommandContext,
    commands: Commands,
  ) => {
    const context = { ...by, neverWidens };
    if (request.form === "array") {
      const { value, position } = await commands.indexDocuments(request.documents, context);
      return ok({ value: withRefused(value, request.refused), position });
    }
    const indexed = await commands.indexDocument(request.document, context);
    return indexed.ok ? ok({ ...indexed.value, value: [indexed.value.value] }) : indexed;
  },
} as const;

const failures = {
  403: forbidden,
  404: "Single form only: the datasource does not exist.",
  409: "Single form only, with `never_widen`: the document is restricted and would be opened.",
  413: "The body is too large, or, in the single form, what has to be recorded beside the text is: name groups instead of thousands of users.",
  415: "The body is not JSON.",
};

const indexDocuments = commandRoute({
  ...decideDocuments,
  path: "/api/indexing/documents",
  toAnswer: (indexed, request) =>
    request.form === "single" ? toSingleIndexAnswer(request.document.datasource, indexed) : toArrayIndexAnswer(indexed),
  description: {
    tag,
    summary: "Index one document or many",
    description:
      "An array is the bulk form: processed in order, and a failure of one document does not stop the others; what became of each is in `results`. A body of a wrong shape (what this schema says, and the keys of permissions) is refused as a whole. What is wrong with one document's values (NUL characters, unpaired surrogates, a date that does not exist, bad Base64, an oversized binary, a property's text over 8,192 characters, a number beyond JSON's, a property that stands twice) is its `failed` in an array, and 422 where it is the only one.",
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
    failures,
    otherInvalid: schemaErrorAnswer,
  },
});

const tryDocuments = commandRoute({
  ...decideDocuments,
  path: "/api/indexing/documents/dry-run",
  run: (request, context, commands) => decideDocuments.run(request, { ...context, dryRun: true }, commands),
  toAnswer: (indexed, request) =>
    request.form === "single" ? toSingleTrialAnswer(request.document.datasource, indexed) : toArrayIndexAnswer(indexed),
  description: {
    tag,
    summary: "Ask what would become of documents",
    description:
      "Our own addition: takes what `POST /documents` takes, decides it and writes nothing. `message` also says whether a document that is restricted would become visible to every registered user. Of documents that stand twice in an array, each is decided on what is there now.",
    example: { documents: document },
    success: {
      description: "What would become of each document.",
      schema: documentIndexAnswer,
      example: toSingleTrialAnswer("handbook", [
        { documentId: toDocumentId(document.id), outcome: "sent", message: wouldBeSent },
      ]),
    },
    failures,
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

const checkAccesses = route({
  method: "POST",
  path: "/api/indexing/documents/check-access/batch",
  access,
  body: jsonBody(checkAccessesMessage),
  isConsistent: true,
  async handle(context, { body: { checks } }) {
    const named = checks.map((asked) => ({ asked, datasource: toDatasourceName(asked.datasource) }));
    const isAllowed = new Set(named.filter(({ datasource }) => mayUse(context, datasource)));
    const decided = valueOf(
      await context.services.queries.checkAccesses({
        checks: Array.from(isAllowed, ({ asked: { document_id, user_email }, datasource }) => ({
          datasource,
          documentId: toDocumentId(document_id),
          email: toEmail(user_email),
        })),
        atLeast: context.state.atLeast,
      }),
    ).values();
    const results = named.map((check): CheckedAccess => {
      const { datasource } = check;
      const { datasource: asAsked, document_id, user_email } = check.asked;
      const outcome = isAllowed.has(check)
        ? decided.next().value
        : failed({ type: "DatasourceForbidden", datasource } as const);
      if (outcome === undefined) throw new Error("A check has no answer.");
      const asked = { datasource: asAsked, document_id, user_email };
      if (outcome.ok) return { has_access: outcome.value.hasAccess, ...asked };
      const { status, body } = toRefusal(outcome.error);
      return { has_access: null, ...asked, error: { status, detail: (body as { detail: string }).detail } };
    });
    context.body = { results };
  },
  description: {
    tag,
    summary: "Ask who may see which documents",
    description:
      "Our own addition: up to 1,000 checks, answered in order as the single form would answer each of them. What it would refuse with a status is `has_access` null here, with the status and the sentence in `error`; the other checks are answered all the same.",
    example: { checks: [question, { ...question, user_email: "bob@example.org", document_id: "gone.md" }] },
    success: {
      description: "One result for each check, in order.",
      schema: checkAccessesAnswer,
      example: {
        results: [
          { has_access: true, ...question },
          {
            ...question,
            ...{ has_access: null, user_email: "bob@example.org", document_id: "gone.md" },
            error: { status: 404, detail: 'There is no document with the id "gone.md".' },
          },
        ],
      },
    },
    failures: { 503: notYetConsistent },
  },
});

/** Documents and who may see them (spec: Documents). */
export const documentRoutes = [indexDocuments, tryDocuments, deleteDocument, checkAccess, checkAccesses];
