import { match } from "ts-pattern";
import type { FoundSyncRun } from "../../../commands/commands.js";
import { toDatasourceName, toDocumentId, toSyncRunId } from "../../shared/ids.js";
import { clientGone, commandContextOf, type ApiContext } from "../apiContext.js";
import { jsonBody } from "../body/jsonBody.js";
import { commandRoute } from "../commandRoute.js";
import { valueOf } from "../envelopes.js";
import { doneAnswer } from "../messages/doneAnswer.js";
import {
  committedSyncRunAnswer,
  confirmQuery,
  documentsSeenMessage,
  refusedCommitAnswer,
  startedSyncRunAnswer,
  startSyncRunMessage,
  syncRunAnswer,
  syncRunDefaults,
  type SyncRunAnswer,
} from "../messages/syncRuns.js";
import { route } from "../route.js";
import { unseenDocuments } from "../unseenDocuments.js";
import { forbidden, notFoundDatasource, syncRunInPath } from "./descriptions.js";

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
