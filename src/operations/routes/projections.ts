import type { CommandResult } from "../../../commands/commands.js";
import type { ProjectionsAnswer } from "../../readModels/projectionStatus.js";
import type { DoneAnswer } from "../../validation/messages/principalMessages.js";
import { checkDropVersion, checkRebuild } from "../../validation/requestBodies.js";
import { success, type Answer } from "../../http/answer.js";
import type { ApiRequest } from "../../http/apiRequest.js";
import { valueOf } from "../../http/envelopes.js";
import type { DescribedRoute, RouteServices } from "../../http/route.js";
import { projectionInPath, schemaOf } from "../../http/routes/descriptions.js";

const list = async (_request: ApiRequest, { projections }: RouteServices): Promise<Answer> =>
  success(await projections.list());

/** A command, answered once its effect shows in the list. */
async function done(result: CommandResult<null>, { projections }: RouteServices): Promise<Answer> {
  const { position } = valueOf(await result);
  if (position !== null) await projections.settle(position);
  return success({ status: "ok" } satisfies DoneAnswer);
}

async function rebuild(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const name = request.parameter("name");
  const { verify, keep, accept } = await request.body(checkRebuild);
  return done(
    services.commands.rebuildProjection(
      { name, verify: verify ?? false, keep: keep ?? 1, accepted: accept ?? false },
      request.context,
    ),
    services,
  );
}

async function drop(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const name = request.parameter("name");
  const { version } = await request.body(checkDropVersion);
  return done(services.commands.dropVersion({ name, version }, request.context), services);
}

type PlainCommand = "acceptVersion" | "rollBackProjection" | "pauseProjection" | "resumeProjection";

const plain =
  (command: PlainCommand) =>
  async (request: ApiRequest, services: RouteServices): Promise<Answer> => {
    const name = request.parameter("name");
    return done(services.commands[command]({ name }, request.context), services);
  };

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
const post = (
  action: string,
  handle: DescribedRoute["handle"],
  description: Pick<DescribedRoute["description"], "summary" | "description" | "body">,
): DescribedRoute => ({
  method: "POST",
  path: `/api/admin/projections/{name}/${action}`,
  access: "operator",
  handle,
  description: {
    tag: "Projections",
    parameters: [projectionInPath],
    success: { description: "It is recorded.", schema: schemaOf("DoneAnswer") },
    failures,
    ...description,
  },
});

/** What operators do with read models (ADR 13). */
export const projectionRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/api/admin/projections",
    access: "operator",
    handle: list,
    description: {
      tag: "Projections",
      summary: "See where projections stand",
      description:
        "Position, lag, parked events, the version that is served, versions that are kept, and what is under way: how far it is built, and what came of comparing it.",
      success: { description: "Every projection.", schema: schemaOf("ProjectionsAnswer"), example },
    },
  },
  post("rebuild", rebuild, {
    summary: "Build a read model anew",
    description:
      "A new version is built beside the one that is served, compared with it, and takes its place. Where it differs it waits to be accepted.",
    body: { schemas: ["RebuildMessage"], example: { verify: true, keep: 1, accept: true } },
  }),
  post("accept", plain("acceptVersion"), {
    summary: "Accept the version under way",
    description: "It is served although it differs from the one that is.",
  }),
  post("rollback", plain("rollBackProjection"), {
    summary: "Go back to the version before",
    description: "It catches up first. The one that it replaces is kept.",
  }),
  post("drop", drop, {
    summary: "Drop a version",
    description:
      "One that is kept, or the one under way, which is given up. What it has stored is freed a few seconds later.",
    body: { schemas: ["DropVersionMessage"], example: { version: 2 } },
  }),
  post("pause", plain("pauseProjection"), {
    summary: "Let a projection stand still",
    description: "What is projected goes on being served. Reads that ask for something newer are 503.",
  }),
  post("resume", plain("resumeProjection"), { summary: "Let a paused projection go on" }),
];
