import type { UndoAnswer } from "../undo/undo.js";
import type { ParkedAnswer, ParkedEventAnswer, VerificationAnswer } from "../verify/verification.js";
import { newId, toCredentialId } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { failed } from "../../shared/result.js";
import { commandContextOf, type ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { answerWithProgress } from "../../http/progressLines.js";
import { route } from "../../http/route.js";
import { knownProjectionInPath } from "../../http/routes/descriptions.js";
import { discardParkedMessage } from "../messages/discardParked.js";
import { parkedAnswer } from "../messages/parkedAnswer.js";
import { retryParkedMessage } from "../messages/retryParked.js";
import { undoAnswer, undoMessage } from "../messages/undo.js";
import { verificationAnswer, verifyMessage } from "../messages/verify.js";

interface ParkedSelection {
  readonly version: number;
  readonly events: readonly ParkedEventAnswer[];
}

async function parkedEvents(
  { services: { verification } }: ApiContext,
  name: string,
  position: string | null,
): Promise<ParkedSelection> {
  const { version, parked: all } = await verification.parked(name);
  const events = position === null ? all : all.filter((event) => event.position === position);
  return position !== null && events.length === 0
    ? valueOf(failed({ type: "ParkedEventNotFound", projection: name, position }))
    : { version, events };
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
const tag = "Projections";
const access = "operator";
const params = [knownProjectionInPath];
const noSuch = { 404: "There is no such projection, version or parked event." };

const verify = route({
  method: "POST",
  path: "/api/admin/projections/{name}/verify",
  access,
  params,
  body: jsonBody(verifyMessage),
  handle(context, { params: { name }, body: { sample, seed, repair, version } }) {
    const { verification, commands } = context.services;
    const askForRepair = async (repaired: number, scopes: readonly string[]): Promise<Position> => {
      const command = { name, version: repaired, scopes };
      return valueOf(await commands.repairReadModel(command, commandContextOf(context))).position ?? beginning;
    };
    const question = {
      name,
      sample: sample ?? 1,
      seed: seed ?? newId(),
      ...(version !== null && version !== undefined && { version }),
    };
    return answerWithProgress(context, async (onProgress, signal) =>
      valueOf(await verification.verify(question, repair === true ? askForRepair : null, { onProgress, signal })),
    );
  },
  description: {
    tag,
    summary: "Compare what is served with what the log says",
    description:
      'The log is folded afresh and held against the readers: every document, person, datasource or credential that it ever named, those that are gone included. With `repair`, what differs is made afresh by whoever projects, and looked at again. Takes as long as reading the log several times: with `Accept: application/x-ndjson` a line a second says how far it is, `{"progress": {"compared", "done"}}`, and the last one is `{"answer": …}`, or `{"failure": {"status", "detail"}}`. A client that goes away ends it.',
    example: { sample: 1, seed: "weekly" },
    success: {
      description: "What differs, by document and principal.",
      schema: verificationAnswer,
      example: verified,
    },
    failures: {
      ...noSuch,
      409: "It answers no questions of its own, or the version stands still.",
      503: "It does not come as far as the log.",
    },
  },
});

const listParked = route({
  method: "GET",
  path: "/api/admin/projections/{name}/parked",
  access,
  params,
  async handle(context, { params: { name } }) {
    context.body = await context.services.verification.parked(name);
  },
  description: {
    tag,
    summary: "List the events that a projection could not apply",
    success: {
      description: "In log order, each with its error and with what fails closed meanwhile.",
      schema: parkedAnswer,
      example: nothingParked,
    },
    failures: noSuch,
  },
});

const retryParked = route({
  method: "POST",
  path: "/api/admin/projections/{name}/parked/retry",
  access,
  params,
  body: jsonBody(retryParkedMessage),
  async handle(context, { params: { name }, body: { position } }) {
    const { verification, commands } = context.services;
    const { version, events } = await parkedEvents(context, name, position ?? null);
    // Of several events of one scope one is enough: the scope is projected afresh with all of them.
    const ofEachScope = events.filter(
      ({ scope }, index) => events.findIndex((event) => event.scope === scope) === index,
    );
    for (const event of ofEachScope) {
      const command = { name, version, position: toPosition(BigInt(event.position)) };
      const written = valueOf(await commands.retryParked(command, commandContextOf(context)));
      await verification.settled(name, written.position ?? beginning);
    }
    context.body = await verification.parked(name);
  },
  description: {
    tag,
    summary: "Apply parked events again",
    description:
      "The scope of each is made afresh from the log, in order and with everything that has happened since. It opens again once it is whole.",
    example: {},
    success: { description: "What is parked afterwards.", schema: parkedAnswer, example: nothingParked },
    failures: noSuch,
  },
});

const discardParked = route({
  method: "POST",
  path: "/api/admin/projections/{name}/parked/discard",
  access,
  params,
  body: jsonBody(discardParkedMessage),
  async handle(context, { params: { name }, body: { position } }) {
    const { verification, commands } = context.services;
    const { version, events } = await parkedEvents(context, name, position);
    for (const { event: eventType } of events) {
      const command = { name, version, position: toPosition(BigInt(position)), eventType };
      const written = valueOf(await commands.discardParked(command, commandContextOf(context)));
      await verification.settled(name, written.position ?? beginning);
    }
    context.body = await verification.parked(name);
  },
  description: {
    tag,
    summary: "Leave a parked event out for good",
    description:
      "Its scope is made afresh without it. Refused of an event that takes something away: people would keep what they have lost.",
    example: { position: "42" },
    success: { description: "What is parked afterwards.", schema: parkedAnswer, example: nothingParked },
    failures: {
      ...noSuch,
      409: "Leaving it out would let people keep what they have lost, or make answers about the past wrong.",
    },
  },
});

const takeBack = route({
  method: "POST",
  path: "/api/admin/undo",
  access,
  body: jsonBody(undoMessage),
  async handle(context, { body: { from, to, credential, dry_run: isDry } }) {
    const { undo } = context.services;
    const range = { from: toPosition(BigInt(from)), to: toPosition(BigInt(to)), by: toCredentialId(credential) };
    context.body = isDry === false ? await undo.carryOut(range, commandContextOf(context)) : await undo.preview(range);
  },
  description: {
    tag,
    summary: "Take back what a credential wrote",
    description:
      "Between two positions, both included, newest first, by ordinary commands in the operator's name. What anybody has changed since is left alone; what no request can bring back is listed.",
    example: { from: "981", to: "1204", credential: "1f0c2b7e", dry_run: true },
    success: { description: "What would be done, or was.", schema: undoAnswer, example: undone },
  },
});

/** Proving what is served, dealing with parked events, taking back a bad sync (ADR 13). */
export const verificationRoutes = [verify, listParked, retryParked, discardParked, takeBack];
