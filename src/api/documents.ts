import type { CommandContext, Commands, IndexDocument, IndexedDocument } from "../../commands/commands.js";
import { ok, failed } from "../shared/result.js";
import { toDatasourceName, toDocumentId, toSyncRunId, type DocumentId, type SyncRunId } from "../shared/ids.js";
import { commandRoute } from "../http/commandRoute.js";
import {
  toArrayIndexAnswer,
  toSingleIndexAnswer,
  toSingleTrialAnswer,
  documentIndexAnswer,
  indexDocumentsMessage,
} from "./documentMessage.js";
import { schemaErrorAnswer, doneAnswer } from "../http/messages/errors.js";
import type { DocumentsRequest, RefusedDocument, ReceivedBody } from "../http/ports.js";
import { datasourceInPath, documentIdInPath, forbidden, notFoundDatasource } from "../http/pathParameters.js";
import type { Checked } from "../http/validation/message.js";
import { queryOf, boundedText, flag } from "../http/validation/parameters.js";
import { issue, missing } from "../http/validation/issue.js";
import { clientGone, type ApiContext } from "../http/apiContext.js";
import { checked, invalidRequest } from "../http/envelopes.js";
import { RefusedRequest } from "../http/refusedRequest.js";
import type { RequestBody } from "../http/route.js";
import type { RouteServices } from "../http/routeServices.js";
import { holderOf, broken, declaredLength } from "../http/body/acceptBody.js";
import { IncomingBody, mostInMemory, requireRoom, type ReceivedBodyLimits } from "../http/body/receivedBody.js";
import type Koa from "koa";

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
  const failures = new Map(
    refused.map(({ at, documentId, message }) => [at, { documentId, message, outcome: "failed" as const }]),
  );
  return Array.from(
    { length: indexed.length + refused.length },
    (_, at) => failures.get(at) ?? (tried.next().value as IndexedDocument),
  );
}

/** How a push is to be taken. */
interface PushParameters {
  readonly neverWidens: boolean;
  readonly syncRunId: SyncRunId | null;
}

const longestSyncRunId = 64;

const pushQuery = queryOf(
  {
    sync: boundedText(
      "The sync run that this push belongs to: all of its documents are of the run's datasource, and count as seen, whatever becomes of them.",
      longestSyncRunId,
    ),
    never_widen: flag(
      "A document that is restricted, and that this push would open to every registered user, is refused: 409 for a single document, `failed` in an array.",
    ),
  },
  ({ sync, never_widen: neverWidens }): Checked<PushParameters> =>
    ok({ neverWidens, syncRunId: sync === null ? null : toSyncRunId(sync) }),
);

type Push = DocumentsRequest & PushParameters;

/** What a push names, those that are refused as well. */
const namedIn = (request: DocumentsRequest): readonly { readonly documentId: DocumentId }[] =>
  request.form === "single"
    ? [request.document]
    : [...request.documents, ...request.refused.filter(({ isNamed }) => isNamed)];

const documentsIn = (request: DocumentsRequest): readonly IndexDocument[] =>
  request.form === "single" ? [request.document] : request.documents;

/**
 * Documents count as seen in their run before they are indexed: then none is deleted that was to be pushed, wherever a
 * process dies.
 */
function seeInRun({ syncRunId, ...request }: Push, context: CommandContext, commands: Commands) {
  if (syncRunId === null) return null;
  const seen = {
    syncRunId,
    documentIds: namedIn(request).map(({ documentId }) => documentId),
    datasources: documentsIn(request).map(({ datasource }) => datasource),
  };
  return commands.seeDocuments(seen, context);
}

/** The body of `POST /documents`: one document or many, with their texts taken out of files. */
const documentsBody: RequestBody<DocumentsRequest> = {
  message: indexDocumentsMessage,
  mostBytes: mostInMemory,
  read: [waitForSearches, readDocuments],
  check: (value, { intake }) =>
    value === undefined ? failed([missing(["body"])]) : intake.read(Buffer.from(JSON.stringify(value))),
};

/** Documents as the body names them, carried out or only decided. */
const decideDocuments = {
  method: "POST",
  access,
  body: documentsBody,
  answersAtOnce: true,
  query: pushQuery,
  toCommand: ({ body, query }: { readonly body: DocumentsRequest; readonly query: PushParameters }) => ({
    ...body,
    ...query,
  }),
  run: async (request: Push, by: CommandContext, commands: Commands) => {
    const context = { ...by, neverWidens: request.neverWidens };
    const seen = await seeInRun(request, context, commands);
    if (seen?.ok === false) return seen;
    if (request.form === "array") {
      const { value, position } = await commands.indexDocuments(request.documents, context);
      return ok({ value: withRefused(value, request.refused), position: position ?? seen?.value.position ?? null });
    }
    const indexed = await commands.indexDocument(request.document, context);
    return indexed.ok ? ok({ ...indexed.value, value: [indexed.value.value] }) : indexed;
  },
} as const;

const resend =
  "Sending an array again is safe: what was written is `already_indexed` by its `last_modified`, or is written once more.";

const busy = `Others kept changing the same data, the disk is full, or too many requests wait for their files to be read. Documents of an array that were written by then stay, and their \`results\` are not told. ${resend} See Retry-After.`;

const failures = {
  403: forbidden,
  404: "Single form: the datasource does not exist. With `sync`: there is no such run.",
  409: "With `sync`: the run is over, or is of another datasource. Single form, with `never_widen`: the document is restricted and would be opened.",
  413: "In the single form: what has to be recorded beside the text is: name groups instead of thousands of users.",
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
      "An array is the bulk form: processed in order, and a failure of one document does not stop the others; what became of each is in `results`. What is wrong with one document (its shape, as this schema says it, and its values: NUL characters, unpaired surrogates, a date that does not exist, bad Base64, an oversized binary, a property's text over 8,192 characters, a number beyond JSON's, a property that stands twice) is its `failed` in an array, and 422 where it is the only one. What is no JSON, no object, or has no `documents` is refused as a whole.",
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
    failures: { ...failures, 503: busy },
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

/** Documents, pushed and deleted (spec: Documents). */
export const documentRoutes = [indexDocuments, tryDocuments, deleteDocument];

type ReceivedFile = Extract<ReceivedBody, { kind: "file" }>;

/** A body beyond its bound is told as an oversized binary is (spec: Error summary, 422). */
function limitsOf({ maxBodyBytes, maxBinaryBytes }: RouteServices): ReceivedBodyLimits {
  const tooLarge = (): RefusedRequest =>
    new RefusedRequest(
      invalidRequest([
        issue(
          ["body"],
          "bytes_too_long",
          `Data should have at most ${maxBodyBytes} bytes, and a binary at most ${maxBinaryBytes}. Send fewer documents in one request`,
          { max_length: maxBodyBytes },
        ),
      ]),
    );
  return { maxBytes: maxBodyBytes, tooLarge };
}

/** Holds a push back before its body is asked for: what waits holds no memory. */
async function waitForSearches({ services: { searchBacklog }, state }: ApiContext, next: Koa.Next): Promise<void> {
  await searchBacklog.untilThereIsRoom();
  await next();
  const request = state.body as DocumentsRequest;
  if (state.position !== null)
    searchBacklog.add({ position: state.position, documents: request.form === "array" ? request.documents.length : 1 });
}

async function readDocuments(context: ApiContext, next: Koa.Next): Promise<void> {
  const { intake, maxBodyBytes } = context.services;
  const incoming = new IncomingBody(context, limitsOf(context.services));
  await requireRoom(context, Math.min(declaredLength(context.req) ?? mostInMemory, maxBodyBytes));
  try {
    const body = await incoming.whole();
    if (body.kind === "file") return await readLarge(context, body, next);
    context.state.body = checked(await intake.read(body.bytes));
    await next();
  } finally {
    await incoming.remove();
  }
}

/** Holds its share of the memory until the request has been handled: until then its texts are held. */
function readLarge(context: ApiContext, { path, length }: ReceivedFile, next: Koa.Next): Promise<void> {
  const { intake, shares } = context.services;
  const turn = { holder: holderOf(context), signal: clientGone(context, broken(context.req, length)) };
  return shares.inMemory.during({ ...turn, amount: length }, async () => {
    context.state.body = checked(await intake.readFile(path, turn));
    await next();
  });
}
