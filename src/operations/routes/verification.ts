import type { UndoAnswer } from "../undo/undo.js";
import type { ParkedAnswer, ParkedEventAnswer, VerificationAnswer } from "../verify/verification.js";
import { projectionKinds } from "../../events/projection.js";
import { newId, toCredentialId } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { failed } from "../../shared/result.js";
import { checkDiscardParked, checkRetryParked, checkUndo, checkVerify } from "../../validation/requestBodies.js";
import { success, type Answer } from "../../http/answer.js";
import type { ApiRequest } from "../../http/apiRequest.js";
import { valueOf } from "../../http/envelopes.js";
import { answerWithProgress } from "../../http/progressLines.js";
import type { DescribedRoute, RouteServices } from "../../http/route.js";
import { projectionInPath, schemaOf } from "../../http/routes/descriptions.js";

async function verify(request: ApiRequest, { verification, commands }: RouteServices): Promise<Answer> {
  const name = projectionIn(request);
  const { sample, seed, repair, version } = await request.body(checkVerify);
  const askForRepair = async (repaired: number, scopes: readonly string[]): Promise<Position> =>
    valueOf(await commands.repairReadModel({ name, version: repaired, scopes }, request.context)).position ?? beginning;
  const question = {
    name,
    sample: sample ?? 1,
    seed: seed ?? newId(),
    ...(version !== null && version !== undefined && { version }),
  };
  return answerWithProgress(request, async (onProgress, signal) =>
    valueOf(await verification.verify(question, repair === true ? askForRepair : null, { onProgress, signal })),
  );
}

const parked = async (request: ApiRequest, { verification }: RouteServices): Promise<Answer> =>
  success(await verification.parked(projectionIn(request)));

/** Of several events of one scope one is enough: the scope is made afresh with all of them. */
async function retry(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const { position } = await request.body(checkRetryParked);
  const { name, version, events } = await parkedEvents(request, services, position ?? null);
  const ofEachScope = events.filter(({ scope }, index) => events.findIndex((event) => event.scope === scope) === index);
  for (const event of ofEachScope) {
    const written = valueOf(
      await services.commands.retryParked(
        { name, version, position: toPosition(BigInt(event.position)) },
        request.context,
      ),
    );
    await services.verification.settled(name, written.position ?? beginning);
  }
  return success(await services.verification.parked(name));
}

async function discard(request: ApiRequest, services: RouteServices): Promise<Answer> {
  const { position } = await request.body(checkDiscardParked);
  const { name, version, events } = await parkedEvents(request, services, position);
  for (const { event } of events) {
    const written = valueOf(
      await services.commands.discardParked(
        { name, version, position: toPosition(BigInt(position)), eventType: event },
        request.context,
      ),
    );
    await services.verification.settled(name, written.position ?? beginning);
  }
  return success(await services.verification.parked(name));
}

interface ParkedSelection {
  readonly name: string;
  readonly version: number;
  readonly events: readonly ParkedEventAnswer[];
}

async function parkedEvents(
  request: ApiRequest,
  { verification }: RouteServices,
  position: string | null,
): Promise<ParkedSelection> {
  const name = projectionIn(request);
  const { version, parked: all } = await verification.parked(name);
  const events = position === null ? all : all.filter((event) => event.position === position);
  return position !== null && events.length === 0
    ? valueOf(failed({ type: "ParkedEventNotFound", projection: name, position }))
    : { name, version, events };
}

async function takeBack(request: ApiRequest, { undo }: RouteServices): Promise<Answer> {
  const { from, to, credential, dry_run: isDry } = await request.body(checkUndo);
  const range = { from: toPosition(BigInt(from)), to: toPosition(BigInt(to)), by: toCredentialId(credential) };
  return success(isDry === false ? await undo.carryOut(range, request.context) : await undo.preview(range));
}

function projectionIn(request: ApiRequest): string {
  const name = request.parameter("name");
  return Object.hasOwn(projectionKinds, name)
    ? name
    : valueOf(failed({ type: "ProjectionNotFound", projection: name }));
}

const verified: VerificationAnswer = {
  projection: "groupClosure",
  version: 1,
  position: "1204",
  sample: 1,
  seed: "weekly",
  compared: 812,
  drift: [],
  unsettled: [],
  suspended: [],
  complete: true,
  remaining: null,
};
const nothingParked: ParkedAnswer = { projection: "search", version: 1, parked: [] };
const undone: UndoAnswer = {
  from: "981",
  to: "1204",
  credential: "1f0c2b7e",
  dry_run: true,
  events: 0,
  steps: [],
  sights: { total_gains: 0, total_losses: 0, total_relation: "eq", gains: [], losses: [] },
  changed_since: [],
  not_restorable: [],
  position: null,
};
const ofProjection = { tag: "Projections", parameters: [projectionInPath] } as const;
const noSuch = { 404: "There is no such projection, version or parked event." };

/** Proving what is served, dealing with parked events, taking back a bad sync (ADR 13). */
export const verificationRoutes: readonly DescribedRoute[] = [
  {
    method: "POST",
    path: "/api/admin/projections/{name}/verify",
    access: "operator",
    handle: verify,
    description: {
      ...ofProjection,
      summary: "Compare what is served with what the log says",
      description:
        'The log is folded afresh and held against the readers: every document, person, datasource or credential that it ever named, those that are gone included. With `repair`, what differs is made afresh by whoever projects, and looked at again. Takes as long as reading the log several times: with `Accept: application/x-ndjson` a line a second says how far it is, `{"progress": {"compared", "done"}}`, and the last one is `{"answer": …}`, or `{"failure": {"status", "detail"}}`. A client that goes away ends it.',
      body: { schemas: ["VerifyMessage"], example: { sample: 1, seed: "weekly" } },
      success: {
        description: "What differs, by document and principal.",
        schema: schemaOf("VerificationAnswer"),
        example: verified,
      },
      failures: {
        ...noSuch,
        409: "It answers no questions of its own, or the version stands still.",
        503: "It does not come as far as the log.",
      },
    },
  },
  {
    method: "GET",
    path: "/api/admin/projections/{name}/parked",
    access: "operator",
    handle: parked,
    description: {
      ...ofProjection,
      summary: "List the events that a projection could not apply",
      success: {
        description: "In log order, each with its error and with what fails closed meanwhile.",
        schema: schemaOf("ParkedAnswer"),
        example: nothingParked,
      },
      failures: noSuch,
    },
  },
  {
    method: "POST",
    path: "/api/admin/projections/{name}/parked/retry",
    access: "operator",
    handle: retry,
    description: {
      ...ofProjection,
      summary: "Apply parked events again",
      description:
        "The scope of each is made afresh from the log, in order and with everything that has happened since. It opens again once it is whole.",
      body: { schemas: ["RetryParkedMessage"], example: {} },
      success: { description: "What is parked afterwards.", schema: schemaOf("ParkedAnswer"), example: nothingParked },
      failures: noSuch,
    },
  },
  {
    method: "POST",
    path: "/api/admin/projections/{name}/parked/discard",
    access: "operator",
    handle: discard,
    description: {
      ...ofProjection,
      summary: "Leave a parked event out for good",
      description:
        "Its scope is made afresh without it. Refused of an event that takes something away: people would keep what they have lost.",
      body: { schemas: ["DiscardParkedMessage"], example: { position: "42" } },
      success: { description: "What is parked afterwards.", schema: schemaOf("ParkedAnswer"), example: nothingParked },
      failures: {
        ...noSuch,
        409: "Leaving it out would let people keep what they have lost, or make answers about the past wrong.",
      },
    },
  },
  {
    method: "POST",
    path: "/api/admin/undo",
    access: "operator",
    handle: takeBack,
    description: {
      tag: "Projections",
      summary: "Take back what a credential wrote",
      description:
        "Between two positions, both included, newest first, by ordinary commands in the operator's name. What anybody has changed since is left alone; what no request can bring back is listed.",
      body: { schemas: ["UndoMessage"], example: { from: "981", to: "1204", credential: "1f0c2b7e", dry_run: true } },
      success: { description: "What would be done, or was.", schema: schemaOf("UndoAnswer"), example: undone },
    },
  },
];
