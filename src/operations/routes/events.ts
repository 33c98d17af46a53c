import { Readable } from "node:stream";
import { json } from "typia";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { shownFields, eventTypeNames } from "../../events/eventTypes.js";
import { clientGone, type ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { unnamed, type Checked, answerMessage } from "../../http/validation/message.js";
import { orNullAfter } from "../../shared/waiting.js";
import { type Email, toEmail } from "../../shared/ids.js";
import { typeOf } from "../events/eventPage.js";
import type { EventSelection, AskEventPage } from "../../events/eventSelection.js";
import { categoryOf, streamCategories, type StreamName } from "../../events/streams.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { ok } from "../../shared/result.js";
import { valueError } from "../../http/validation/issue.js";
import { epochMilliseconds } from "../../shared/instant.js";
import {
  integer,
  textParameter,
  choice,
  type Parameter,
  strictQueryOf,
  choiceOr,
  flag,
} from "../../http/validation/parameters.js";

/** A page of events, as it is asked for: a person is named by an email. */
interface EventPageQuestion extends Omit<AskEventPage, "about"> {
  readonly person: Email | null;
}

/** An event as it is told. */
interface EventAnswer {
  /** Where it stands in the log. */
  position: string;
  at: string;
  stream: string;
  /** The name of the datasource that it belongs to, deleted or not; null: it belongs to none. */
  datasource: string | null;
  revision: number;
  type: string;
  /** A person's email, the id of a credential, or `operator` for the command line. */
  by: string;
  id: string;
  correlation_id: string;
  causation_id: string;
  /** Without secrets; texts of documents are in no event. Empty of an event that cannot be read. */
  data: { [name: string]: unknown };
  /** Why it cannot be read. */
  unreadable?: string;
}

/** Answer of `GET /api/admin/events/page`. */
interface EventPageAnswer {
  events: EventAnswer[];
  /** Sent as `next` with the same question, it goes on; null: there is nothing more. */
  next: string | null;
}

const eventPageAnswer = answerMessage(json.schema<EventPageAnswer>());

const orders = { desc: "backwards", asc: "forwards" } as const;
const longestId = 128;

/** The name of a stream; null where it is left out. */
const streamParameter = textParameter<StreamName>("Only this stream, such as `datasource-handbook`.", (text, given) => {
  const stream = text as StreamName;
  const error = `a stream is named {category}-{id}; the categories are ${streamCategories.join(", ")}`;
  if (!streamCategories.includes(categoryOf(stream))) given.refuseValue((loc) => valueError(loc, error));
  return stream;
});

const categoryParameter = choice("Only streams of this category.", streamCategories);

const positionForm = /^\d{1,18}$/;

/** A position of the log; null where it is left out. */
const positionParameter = (description: string): Parameter<Position | null> =>
  textParameter(description, (text, given) => {
    const isOne = positionForm.test(text);
    if (!isOne) given.refuseValue((loc) => valueError(loc, "a position is a whole number"));
    return isOne ? toPosition(BigInt(text)) : beginning;
  });

const timeParameter = (description: string): Parameter<number | null> =>
  textParameter(description, (text, given) => {
    const time = epochMilliseconds(text);
    if (time === null) given.refuseValue((loc) => valueError(loc, "a moment is an ISO 8601 time"));
    return time as number;
  });

const idParameter = (description: string): Parameter<string | null> =>
  textParameter(description, (text, given) => {
    if (text === "" || text.length > longestId)
      given.refuseValue((loc) => valueError(loc, `an id has 1 to ${longestId} characters`));
    return text;
  });

/** The parameters of `GET /api/admin/events/page`. */
const eventPageQuery = strictQueryOf(
  {
    stream: streamParameter,
    category: categoryParameter,
    type: choice("Only events of this type.", eventTypeNames),
    person: textParameter("Only what this login email did, or what names it.", toEmail),
    since: timeParameter("Only what happened at this ISO 8601 time or later, by the log's clock."),
    until: timeParameter("Only what happened at this ISO 8601 time or earlier."),
    correlation_id: idParameter("Only what one request caused."),
    causation_id: idParameter("Only what this request, event or sync run caused directly."),
    order: choiceOr("`desc`: the newest first; `asc`: in the order of the log.", ["desc", "asc"] as const, "desc"),
    from: positionParameter("Begin with this position."),
    next: positionParameter("The `next` of the page before."),
    count: integer("Events, at most.", { minimum: 1, maximum: 200, default: 50 }),
  },
  ({ correlation_id: correlationId, causation_id: causationId, order, ...asked }): Checked<EventPageQuestion> =>
    ok({ ...asked, correlationId, causationId, order: orders[order] }),
);

/** The parameters of `GET /api/admin/events`. */
const eventSelection = strictQueryOf(
  {
    stream: streamParameter,
    category: categoryParameter,
    from: positionParameter("From this position on, inclusive. Left out: from the first."),
    follow: flag("Whether to go on behind the log's end."),
  },
  (selection): Checked<EventSelection> => ok(selection),
);

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

/** The events as they are sent, each only to a caller who may read it when it comes. */
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
