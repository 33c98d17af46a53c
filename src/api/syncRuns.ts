import { match } from "ts-pattern";
import { createValidate, json, type tags } from "typia";
import type { FoundSyncRun } from "../../commands/commands.js";
import { toDatasourceName, toDocumentId, toSyncRunId, type DocumentId } from "../shared/ids.js";
import { clientGone, commandContextOf, type ApiContext } from "../http/apiContext.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { commandRoute } from "../http/commandRoute.js";
import { valueOf } from "../http/envelopes.js";
import { doneAnswer } from "../http/messages/errors.js";
import { route } from "../http/route.js";
import { forbidden, notFoundDatasource, syncRunInPath } from "../http/pathParameters.js";
import { ok } from "../shared/result.js";
import { answerMessage, bodyMessage } from "../http/validation/message.js";
import type { DatasourceReference, DocumentIdText } from "../http/messages/names.js";
import type { InventoryPage } from "../audit/auditQueries.js";
import type { RouteServices } from "../http/routeServices.js";
import { queryOf, flag } from "../http/validation/parameters.js";

/** What a run may delete, and how long it goes on, where its start does not say. */
const syncRunDefaults = { maxDeletedShare: 0.2, expiresInHours: 24 } as const;

/** Body of `POST /syncs`. */
interface StartSyncRunMessage {
  datasource: DatasourceReference;
  /**
   * The share of the datasource's documents, 0 to 1, that a commit deletes without `confirm=true`; 0.2 where left out,
   * 1: any.
   */
  max_deleted_share?: (number & tags.Minimum<0> & tags.Maximum<1>) | null;
  /** Hours until the run is over by itself, and deletes nothing; 24 where left out. */
  expires_in_hours?: (number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<720>) | null;
}

const startSyncRunMessage = bodyMessage(json.schema<StartSyncRunMessage>(), createValidate<StartSyncRunMessage>());

/** Body of `POST /syncs/{sync_id}/seen`. */
interface DocumentsSeenMessage {
  /** Documents of the run's datasource that are still there, and need not be pushed. */
  document_ids: DocumentIdText[] & tags.MinItems<1> & tags.MaxItems<1000>;
}

const documentsSeenMessage = bodyMessage(json.schema<DocumentsSeenMessage>(), createValidate<DocumentsSeenMessage>());

type Count = number;

/** A run, as its start answers it. */
interface StartedSyncRunAnswer {
  id: string;
  datasource: string;
  state: "open";
  max_deleted_share: number;
  expires_at: string & tags.Format<"date-time">;
}

/** Answer of `GET /syncs/{sync_id}`. */
interface SyncRunAnswer {
  id: string;
  datasource: string;
  /** `committed`: what is still counted by `would_delete` is deleted by committing again. */
  state: "open" | "committed" | "aborted" | "expired";
  max_deleted_share: number;
  expires_at: string & tags.Format<"date-time">;
  /** Ids that were pushed with the run or told as seen, whether there is such a document or not. */
  seen: Count;
  /** How many documents the datasource has; null where the run is over without a commit. */
  documents: Count | null;
  /** How many of them a commit would delete now; null as `documents`. */
  would_delete: Count | null;
  /** The ids of the first of those, 20 at most. */
  missing: string[];
}

/** Answer of `POST /syncs/{sync_id}/commit`. */
interface CommittedSyncRunAnswer {
  id: string;
  datasource: string;
  state: "committed";
  seen: Count;
  /** How many documents this request has deleted. */
  deleted: Count;
}

/** A commit that is refused. */
interface RefusedCommitAnswer {
  detail: string;
  /** Only where that is more than the run may delete without being confirmed. */
  would_delete?: Count;
  /** With `would_delete`: of how many. */
  documents?: Count;
}

const startedSyncRunAnswer = answerMessage(json.schema<StartedSyncRunAnswer>());
const syncRunAnswer = answerMessage(json.schema<SyncRunAnswer>());
const committedSyncRunAnswer = answerMessage(json.schema<CommittedSyncRunAnswer>());
const refusedCommitAnswer = answerMessage(json.schema<RefusedCommitAnswer>());

/** `confirm` of a commit. */
const confirmQuery = queryOf(
  { confirm: flag("Delete what was not seen, whatever share of the documents it is.") },
  ({ confirm }) => ok(confirm),
);

const tag = "Sync runs";
const access = "serviceAccount";
const notFound = "There is no such sync run.";
const isOver = "The run is over, or its datasource has been deleted.";
const incomplete =
  "What the datasource holds cannot be told at the moment, so nothing was deleted by this request; see Retry-After.";

const asStarted = {
  datasource: "handbook",
  max_deleted_share: syncRunDefaults.maxDeletedShare,
  expires_at: "2026-01-02T03:04:05.678Z",
};

const exampleId = "0b9d6f1c2e3a4b5c6d7e";
const mostMissingTold = 20;
/** A commit deletes so many at a time: it can be stopped between them, and goes on where it was. */
const deletionsAtOnce = 1_000;

const startSyncRun = commandRoute({
  method: "POST",
  path: "/api/indexing/syncs",
  access,
  body: jsonBody(startSyncRunMessage),
  answersAtOnce: true,
  toCommand: ({ body: { datasource, max_deleted_share: share, expires_in_hours: hours } }) => ({
    datasource: toDatasourceName(datasource),
    maxDeletedShare: share ?? syncRunDefaults.maxDeletedShare,
    expiresInHours: hours ?? syncRunDefaults.expiresInHours,
  }),
  run: (command, context, commands) => commands.startSyncRun(command, context),
  toAnswer: ({ syncRunId, datasource, maxDeletedShare, expiresAt }) => ({
    ...{ id: syncRunId, datasource, state: "open" },
    ...{ max_deleted_share: maxDeletedShare, expires_at: expiresAt },
  }),
  description: {
    tag,
    summary: "Start a sync run",
    description:
      "Our own addition. Push everything that the source has with `sync={id}`, or tell what has not changed at `/seen`; then commit the run: documents that it has not seen, and that were last indexed before it began, are deleted. A run that is aborted, that expires or that is never committed deletes nothing.",
    example: { datasource: "handbook" },
    success: {
      description: "Started.",
      schema: startedSyncRunAnswer,
      example: { id: exampleId, state: "open", ...asStarted },
    },
    failures: { 403: forbidden, 404: notFoundDatasource },
  },
});

const seeDocuments = commandRoute({
  method: "POST",
  path: "/api/indexing/syncs/{sync_id}/seen",
  access,
  params: [syncRunInPath],
  body: jsonBody(documentsSeenMessage),
  answersAtOnce: true,
  toCommand: ({ params, body }) => ({
    syncRunId: toSyncRunId(params.sync_id),
    documentIds: body.document_ids.map(toDocumentId),
  }),
  run: (command, context, commands) => commands.seeDocuments(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Tell what is still there",
    description:
      "For documents that have not changed, so that they need not be pushed again: up to 1,000 ids of the run's datasource. Ids of documents that are not there are no error, and count as seen.",
    example: { document_ids: ["travel-2024.md"] },
    success: { description: "Recorded.", schema: doneAnswer },
    failures: { 403: forbidden, 404: notFound, 409: isOver },
  },
});

const abortSyncRun = commandRoute({
  method: "POST",
  path: "/api/indexing/syncs/{sync_id}/abort",
  access,
  params: [syncRunInPath],
  answersAtOnce: true,
  toCommand: ({ params }) => ({ syncRunId: toSyncRunId(params.sync_id) }),
  run: (command, context, commands) => commands.abortSyncRun(command, context),
  toAnswer: () => ({ status: "ok" }),
  description: {
    tag,
    summary: "Abort a sync run",
    description: "It deletes nothing. What was pushed with it stays.",
    success: { description: "Aborted, or over already without having deleted anything.", schema: doneAnswer },
    failures: { 403: forbidden, 404: notFound, 409: "The run has been committed, or its datasource was deleted." },
  },
});

async function findRun(context: ApiContext, id: string): Promise<FoundSyncRun> {
  const { commands } = context.services;
  return valueOf(await commands.findSyncRun({ syncRunId: toSyncRunId(id) }, commandContextOf(context))).value;
}

const getSyncRun = route({
  method: "GET",
  path: "/api/indexing/syncs/{sync_id}",
  access,
  params: [syncRunInPath],
  async handle(context, { params }) {
    const run = await findRun(context, params.sync_id);
    const state = stateOf(run);
    const held =
      state === "open" || state === "committed"
        ? await unseenDocuments(context.services, run, clientGone(context))
        : null;
    context.body = {
      ...{ id: run.syncRunId, datasource: run.datasource, state },
      ...{ max_deleted_share: run.maxDeletedShare, expires_at: run.expiresAt, seen: run.seen.size },
      ...{ documents: held?.documents ?? null, would_delete: held?.unseen.length ?? null },
      missing: held?.unseen.slice(0, mostMissingTold) ?? [],
    } satisfies SyncRunAnswer;
  },
  description: {
    tag,
    summary: "Look at a sync run",
    description: "What it has seen, and what a commit would delete now.",
    success: {
      description: "The run.",
      schema: syncRunAnswer,
      example: {
        ...{ id: exampleId, ...asStarted, state: "open" },
        ...{ seen: 41, documents: 42, would_delete: 1, missing: ["travel-2019.md"] },
      },
    },
    failures: { 403: forbidden, 404: notFound, 503: incomplete },
  },
});

const stateOf = ({ end }: FoundSyncRun): SyncRunAnswer["state"] =>
  match(end)
    .returnType<SyncRunAnswer["state"]>()
    .with(null, () => "open")
    .with("committed", "aborted", "expired", (over) => over)
    .with("datasourceDeleted", () => "expired")
    .exhaustive();

const commitSyncRun = route({
  method: "POST",
  path: "/api/indexing/syncs/{sync_id}/commit",
  access,
  params: [syncRunInPath],
  query: confirmQuery,
  whyNotTried:
    "The commit of a sync run cannot be tried: it deletes what a list of the datasource holds then, and not what the log held at one moment. GET /api/indexing/syncs/{sync_id} tells how many documents that is now; try their deletions.",
  async handle(context, { params, query: isConfirmed }) {
    const { commands } = context.services;
    const by = commandContextOf(context);
    const signal = clientGone(context);
    const run = await findRun(context, params.sync_id);
    const { syncRunId } = run;
    const { unseen: candidates, documents } = await unseenDocuments(context.services, run, signal);
    if (signal.aborted) return;
    const committed = valueOf(await commands.commitSyncRun({ syncRunId, candidates, documents, isConfirmed }, by));
    context.state.position = committed.position;
    let deleted = 0;
    for (let first = 0; first < candidates.length && !signal.aborted; first += deletionsAtOnce) {
      const some = candidates.slice(first, first + deletionsAtOnce);
      const { value, position } = valueOf(await commands.deleteUnseen({ syncRunId, candidates: some }, by));
      deleted += value;
      context.state.position = position;
    }
    context.body = {
      ...{ id: syncRunId, datasource: run.datasource, state: "committed" },
      ...{ seen: run.seen.size, deleted },
    };
  },
  description: {
    tag,
    summary: "Commit a sync run",
    description:
      "Deletes the documents of the datasource that the run has not seen and that nobody has indexed since it began. From here on the run takes nothing more. Where the request is cut short, send it again: it deletes the rest. Documents that failed or were skipped count as seen.",
    success: {
      description: "Committed.",
      schema: committedSyncRunAnswer,
      example: { id: exampleId, datasource: "handbook", state: "committed", seen: 41, deleted: 1 },
      carriesToken: true,
    },
    failures: {
      403: forbidden,
      404: notFound,
      409: "The run was aborted or has expired; or it would delete more than its `max_deleted_share` of the documents, and `confirm` was not given: `would_delete` and `documents` say how many.",
      503: incomplete,
    },
    failure: refusedCommitAnswer,
  },
});

/** What a source no longer has (our own addition). */
export const syncRunRoutes = [startSyncRun, seeDocuments, getSyncRun, commitSyncRun, abortSyncRun];

/** What a datasource holds, as a sync run looks at it. */
interface HeldDocuments {
  readonly documents: number;
  /** Indexed before the run began, and not seen in it so far. */
  readonly unseen: readonly DocumentId[];
}

const documentsPerPage = 1_000;

/**
 * Lists a run's datasource as of the end of the log. Refused where the list cannot be whole; cut short where the signal
 * aborts.
 */
async function unseenDocuments(
  { audit }: Pick<RouteServices, "audit">,
  { datasource, startedAt, seen }: FoundSyncRun,
  signal: AbortSignal,
): Promise<HeldDocuments> {
  const of = { kind: "documents" } as const;
  const unseen: DocumentId[] = [];
  let documents = 0;
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    const asked = { datasource, of, after, count: documentsPerPage, atLeast: null };
    const page: InventoryPage = valueOf(await audit.inventory(asked));
    after = page.next;
    for (const item of page.items) {
      if (item.kind !== "document") continue;
      documents++;
      const documentId = toDocumentId(item.id);
      if (item.indexedAt < startedAt && !seen.has(documentId)) unseen.push(documentId);
    }
  }
  return { documents, unseen };
}
