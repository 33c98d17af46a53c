import { Readable } from "node:stream";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { shownFields } from "../../events/hiddenFields.js";
import { clientGone, type ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { unnamed } from "../../http/validation/message.js";
import { orNullAfter } from "../../shared/orNullAfter.js";
import type { Email } from "../../shared/ids.js";
import { typeOf } from "../events/eventPage.js";
import { eventPageAnswer, eventPageQuery, type EventAnswer, type EventPageAnswer } from "../messages/eventPage.js";
import { eventSelection } from "../messages/eventSelection.js";

const ndjson = "application/x-ndjson";
/** Clients and proxies take a connection on which nothing comes for dead, after a minute at the earliest. */
const signOfLifeMs = 15_000;

/** A line for each event, and an empty line when none came for this long. */
export async function* linesOf(
  batches: AsyncIterable<readonly object[]>,
  everyMs: number,
): AsyncGenerator<string, void, void> {
  const iterator = batches[Symbol.asyncIterator]();
  for (let next = iterator.next(); ;) {
    const come = await orNullAfter(everyMs, next);
    if (come?.done === true) return;
    const lines = come === null ? "\n" : come.value.map((event) => `${JSON.stringify(event)}\n`).join("");
    if (lines !== "") yield lines;
    if (come !== null) next = iterator.next();
  }
}

/** The events as they are told, for as long as the caller may read them: whoever follows the log does so for days. */
async function* toldEvents(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  { services: { eventLog }, state }: ApiContext,
): AsyncGenerator<readonly object[], void, void> {
  for await (const events of batches) {
    await state.proveAgain?.();
    yield await Promise.all(events.map(async (event) => described(event, await eventLog.datasourceOf(event))));
  }
}

/** Positions are texts: engines may choose numbers that JSON's readers would round. */
function described(recorded: RecordedEvent, datasource: string | null): EventAnswer {
  const { id, position, revision, stream, event, metadata, unreadable } = recorded;
  const { at, by, correlationId, causationId } = metadata;
  return {
    position: String(position),
    at,
    stream,
    datasource,
    revision,
    type: typeOf(recorded),
    by,
    id,
    correlation_id: correlationId,
    causation_id: causationId,
    data: unreadable === undefined ? shownFields(event.data) : {},
    ...(unreadable !== undefined && { unreadable: messageOf(unreadable.reason) }),
  };
}

const example =
  '{"position":"17","at":"2026-01-12T09:00:00.000Z","stream":"datasource-handbook","datasource":"handbook","revision":1,"type":"DatasourceDeleted","by":"pDrRIAPnr1V9","id":"0d4c…","correlation_id":"4be1…","causation_id":"4be1…","data":{"datasourceId":"7c1e0a9b4d2f48a6b3e5","name":"handbook"}}';

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

const readEvents = route({
  method: "GET",
  path: "/api/admin/events",
  access: "operator",
  query: eventSelection,
  handle(context, { query }) {
    const { eventLog } = context.services;
    const lines = linesOf(toldEvents(eventLog.read(query, clientGone(context)), context), signOfLifeMs);
    context.set("Content-Type", ndjson);
    context.body = Readable.from(lines, { highWaterMark: 1 });
  },
  description: {
    tag: "Events",
    summary: "Read what has happened",
    description:
      "One JSON object a line and event, in the order of the log. `datasource` is the name of the one that it belongs to, also of one that is deleted; null where it belongs to none. Texts of documents and secrets are in no event. With `follow` it goes on as events happen, with an empty line now and then while none do.",
    success: { description: "The events.", mediaType: ndjson, schema: unnamed({ type: "string" }), example },
  },
});

/** What a person is known by in the log: the email, and the ids of keys that are bound to it. */
async function namesOf(person: Email, { services }: ApiContext): Promise<readonly string[]> {
  const keys = valueOf(await services.queries.listCredentials({ kind: "apiKey", atLeast: null }));
  return [person, ...keys.filter(({ email }) => email === person).map(({ id }) => id)];
}

const readPage = route({
  method: "GET",
  path: "/api/admin/events/page",
  access: "operator",
  query: eventPageQuery,
  async handle(context, { query: { person, ...question } }) {
    const { eventLog } = context.services;
    const about = person === null ? null : await namesOf(person, context);
    const { events, next } = await eventLog.page({ ...question, about });
    const told = await Promise.all(events.map(async (event) => described(event, await eventLog.datasourceOf(event))));
    context.body = { events: told, next: next === null ? null : String(next) } satisfies EventPageAnswer;
  },
  description: {
    tag: "Events",
    summary: "Look through what has happened",
    description:
      "A page of events, the newest first unless asked otherwise. It looks through the log for a quarter of a second at most, so a page that is not full need not be the last: `next` says where to go on, and null that there is nothing more. A person is found as whoever did something, by session or with a key of hers, and as whom an event names. Texts of documents and secrets are in no event.",
    success: {
      description: "What was found.",
      schema: eventPageAnswer,
      example: { events: [JSON.parse(example) as EventAnswer], next: null },
    },
    failures: { 503: "A time cannot be placed in the log yet; see Retry-After." },
  },
});

/** What has happened, from the log. */
export const eventRoutes = [readEvents, readPage];
