import { Readable } from "node:stream";
import { createValidate, json, type tags } from "typia";
import type { CommandResult } from "../../../commands/commands.js";
import type { ProjectionsAnswer } from "../../readModels/projectionStatus.js";
import { clientGone, commandContextOf, type ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { route, type DescribedRoute, type RouteDescription } from "../../http/route.js";
import { projectionInPath } from "../../http/pathParameters.js";
import { type DoneAnswer, doneAnswer } from "../../http/messages/errors.js";
import { unnamed, bodyMessage, answerMessage } from "../../http/validation/message.js";
import { ok } from "../../shared/result.js";
import { liveEvents } from "../status/liveStatus.js";
import { queryOf, orElse, integerFrom } from "../../http/validation/parameters.js";

/** Body of `POST /api/admin/projections/{name}/rebuild`. */
interface RebuildMessage {
  /** Compare everything that the log ever named before the swap, and not only a part by chance. Default: false. */
  verify?: boolean | null;
  /** How many versions that were served before are kept. Default: 1. */
  keep?: (number & tags.Type<"int32"> & tags.Minimum<0> & tags.Maximum<100>) | null;
  /** Serve the new version whatever the comparison finds. Default: false. */
  accept?: boolean | null;
}

const rebuildMessage = bodyMessage(json.schema<RebuildMessage>(), createValidate<RebuildMessage>());

const projectionsAnswer = answerMessage(json.schema<ProjectionsAnswer>());

/** Body of `POST /api/admin/projections/{name}/drop`. */
interface DropVersionMessage {
  /** One that is kept, or the one under way, which is given up. */
  version: number & tags.Type<"int32"> & tags.Minimum<1>;
}

const dropVersionMessage = bodyMessage(json.schema<DropVersionMessage>(), createValidate<DropVersionMessage>());

/** Answers a command once its effect shows in the list of projections. */
async function answerDone(context: ApiContext, result: CommandResult<null>): Promise<void> {
  const { position } = valueOf(await result);
  if (position !== null) await context.services.projections.waitUntilProjected(position);
  context.body = { status: "ok" } satisfies DoneAnswer;
}

const example: ProjectionsAnswer = {
  log: "1204",
  log_unit: "events",
  projections: [
    {
      name: "search",
      kind: "read_model",
      state: "running",
      version: 1,
      position: "1204",
      lag: { events: 0, or_more: false, seconds: 0 },
      rate: null,
      parked: 0,
      last_error: null,
      size: { amount: 1_048_576, unit: "bytes" },
      kept: [],
      under_way: null,
    },
  ],
  bulk_removals: [],
};

const failures = {
  404: "There is no such projection, or no such version of it.",
  409: "That cannot be done as things are; the sentence says why.",
};

const tag = "Projections";
const access = "operator";
const params = [projectionInPath];
const described = (summary: string, description: string, exampleBody?: unknown): RouteDescription => ({
  tag,
  summary,
  description,
  ...(exampleBody === undefined ? {} : { example: exampleBody }),
  success: { description: "It is recorded.", schema: doneAnswer },
  failures,
});

type PlainCommand = "acceptVersion" | "rollBackProjection" | "pauseProjection" | "resumeProjection";

/** A route that gives a command which takes nothing but the name of the projection. */
const plain = (action: string, command: PlainCommand, description: RouteDescription): DescribedRoute =>
  route({
    method: "POST",
    path: `/api/admin/projections/{name}/${action}`,
    access,
    params,
    handle: (context, { params: { name } }) =>
      answerDone(context, context.services.commands[command]({ name }, commandContextOf(context))),
    description,
  });

const listProjections = route({
  method: "GET",
  path: "/api/admin/projections",
  access,
  async handle(context) {
    context.body = await context.services.projections.list();
  },
  description: {
    tag,
    summary: "See where projections stand",
    description:
      "Position, lag, parked events, the version that is served, versions that are kept, and what is under way: how far it is built, and what came of comparing it.",
    success: { description: "Every projection.", schema: projectionsAnswer, example },
  },
});

const eventStream = "text/event-stream";
const livePace = { everyMs: 1_000, signOfLifeMs: 15_000, longestMs: 10 * 60_000 };

/** How many events are wanted; all that come where it is left out. */
const updatesInQuery = queryOf(
  { updates: orElse(integerFrom("Ends after so many. Left out: it goes on.", 1), Number.POSITIVE_INFINITY) },
  ({ updates }) => ok(updates),
);

const watchProjections = route({
  method: "GET",
  path: "/api/admin/projections/live",
  access,
  query: updatesInQuery,
  handle(context, { query: most }) {
    const { projections, readiness } = context.services;
    const source = {
      look: () => projections.watched(),
      isStopping: async () => (await readiness()).isStopping,
    };
    context.set("Content-Type", eventStream);
    context.body = Readable.from(liveEvents(source, livePace, { most, signal: clientGone(context) }), {
      highWaterMark: 1,
    });
  },
  description: {
    tag,
    summary: "Watch where projections stand",
    description:
      "Server-sent events, each with what `GET /api/admin/projections` answers, whenever that has changed, at most once a second; a comment every 15 seconds while nothing does. It ends after ten minutes, when `EventSource` asks again, and where the service stops.",
    success: {
      description: "The events.",
      mediaType: eventStream,
      schema: unnamed({ type: "string" }),
      example: `data: ${JSON.stringify(example)}\n\n`,
    },
  },
});

const rebuild = route({
  method: "POST",
  path: "/api/admin/projections/{name}/rebuild",
  access,
  params,
  body: jsonBody(rebuildMessage),
  handle(context, { params: { name }, body: { verify, keep, accept } }) {
    const command = { name, verify: verify ?? false, keep: keep ?? 1, accepted: accept ?? false };
    return answerDone(context, context.services.commands.rebuildProjection(command, commandContextOf(context)));
  },
  description: described(
    "Build a read model anew",
    "A new version is built beside the one that is served, compared with it, and takes its place. Where it differs it waits to be accepted.",
    { verify: true, keep: 1, accept: true },
  ),
});

const accept = plain(
  "accept",
  "acceptVersion",
  described("Accept the version under way", "It is served although it differs from the one that is."),
);

const rollBack = plain(
  "rollback",
  "rollBackProjection",
  described("Go back to the version before", "It catches up first. The one that it replaces is kept."),
);

const drop = route({
  method: "POST",
  path: "/api/admin/projections/{name}/drop",
  access,
  params,
  body: jsonBody(dropVersionMessage),
  handle: (context, { params: { name }, body: { version } }) =>
    answerDone(context, context.services.commands.dropVersion({ name, version }, commandContextOf(context))),
  description: described(
    "Drop a version",
    "One that is kept, or the one under way, which is given up. What it has stored is freed a few seconds later.",
    { version: 2 },
  ),
});

const pause = plain(
  "pause",
  "pauseProjection",
  described(
    "Let a projection stand still",
    "What is projected goes on being served. Reads that ask for something newer are 503.",
  ),
);

const resume = plain("resume", "resumeProjection", {
  tag,
  summary: "Let a paused projection go on",
  success: { description: "It is recorded.", schema: doneAnswer },
  failures,
});

/** What operators do with read models (docs/design/read-models.md). */
export const projectionRoutes = [listProjections, watchProjections, rebuild, accept, rollBack, drop, pause, resume];
