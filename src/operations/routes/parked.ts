import { createValidate, json } from "typia";
import type { CommandResult } from "../../../commands/commands.js";
import type { ParkedAnswer, ParkedEventAnswer } from "../parked/parkedEvents.js";
import { beginning, toPosition } from "../../shared/position.js";
import { failed } from "../../shared/result.js";
import { commandContextOf, type ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { knownProjectionInPath } from "../../http/pathParameters.js";
import { bodyMessage, answerMessage } from "../../http/validation/message.js";
import type { PositionText } from "../../http/messages/names.js";

const parkedAnswer = answerMessage(json.schema<ParkedAnswer>());

/** Body of `POST /api/admin/projections/{name}/parked/retry`. */
interface RetryParkedMessage {
  /** The position of a parked event. Left out: all parked events. */
  position?: PositionText | null;
}

const retryParkedMessage = bodyMessage(json.schema<RetryParkedMessage>(), createValidate<RetryParkedMessage>());

/** Body of `POST /api/admin/projections/{name}/parked/discard`. */
interface DiscardParkedMessage {
  /** The position of a parked event. */
  position: PositionText;
}

const discardParkedMessage = bodyMessage(json.schema<DiscardParkedMessage>(), createValidate<DiscardParkedMessage>());

interface ParkedSelection {
  readonly version: number;
  readonly events: readonly ParkedEventAnswer[];
}

async function parkedEvents(
  { services: { parked } }: ApiContext,
  name: string,
  position: string | null,
): Promise<ParkedSelection> {
  const { version, parked: all } = await parked.list(name);
  const events = position === null ? all : all.filter((event) => event.position === position);
  return position !== null && events.length === 0
    ? valueOf(failed({ type: "ParkedEventNotFound", projection: name, position }))
    : { version, events };
}

/** Waits until a command about a parked event has come into effect. */
async function carriedOut({ services }: ApiContext, name: string, reply: CommandResult<unknown>): Promise<void> {
  const { position } = valueOf(await reply);
  await services.parked.waitUntilProjected(name, position ?? beginning);
}

const nothingParked: ParkedAnswer = { projection: "search", version: 1, parked: [] };
const tag = "Projections";
const access = "operator";
const params = [knownProjectionInPath];
const noSuch = { 404: "There is no such projection, version or parked event." };

const listParked = route({
  method: "GET",
  path: "/api/admin/projections/{name}/parked",
  access,
  params,
  async handle(context, { params: { name } }) {
    context.body = await context.services.parked.list(name);
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
    const { parked, commands } = context.services;
    const { version, events } = await parkedEvents(context, name, position ?? null);
    // One event of each scope is enough: the scope is projected afresh with all of them.
    const ofEachScope = events.filter(
      ({ scope }, index) => events.findIndex((event) => event.scope === scope) === index,
    );
    for (const event of ofEachScope) {
      const command = { name, version, position: toPosition(BigInt(event.position)) };
      await carriedOut(context, name, commands.retryParked(command, commandContextOf(context)));
    }
    context.body = await parked.list(name);
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
    const { parked, commands } = context.services;
    const { version, events } = await parkedEvents(context, name, position);
    for (const { event: eventType } of events) {
      const command = { name, version, position: toPosition(BigInt(position)), eventType };
      await carriedOut(context, name, commands.discardParked(command, commandContextOf(context)));
    }
    context.body = await parked.list(name);
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

/** What to do about events that a projection could not apply (docs/design/read-models.md). */
export const parkedRoutes = [listParked, retryParked, discardParked];
