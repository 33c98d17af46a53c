import { Readable } from "node:stream";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { clientGone } from "../../http/apiContext.js";
import type { EventReader } from "../../http/ports.js";
import { route } from "../../http/route.js";
import { unnamed } from "../../http/validation/message.js";
import { orNullAfter } from "../../shared/orNullAfter.js";
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

/** The events as they are told. */
async function* toldEvents(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  { datasourceOf }: Pick<EventReader, "datasourceOf">,
): AsyncGenerator<readonly object[], void, void> {
  for await (const events of batches)
    yield await Promise.all(events.map(async (event) => described(event, await datasourceOf(event))));
}

/** Positions are texts: engines may choose numbers that JSON's readers would round. */
function described(
  { id, position, revision, stream, event, metadata }: RecordedEvent,
  datasource: string | null,
): object {
  const { at, by, correlationId, causationId } = metadata;
  const data = Object.fromEntries(Object.entries(event.data).filter(([key]) => key !== "secretSha256"));
  return {
    position: String(position),
    at,
    stream,
    datasource,
    revision,
    type: event.type,
    by,
    id,
    correlation_id: correlationId,
    causation_id: causationId,
    data,
  };
}

const example =
  '{"position":"17","at":"2026-01-12T09:00:00.000Z","stream":"datasource-handbook","datasource":"handbook","revision":0,"type":"DatasourceRegistered","by":"pDrRIAPnr1V9","id":"0d4c…","correlation_id":"4be1…","causation_id":"4be1…","data":{"datasourceId":"7c1e0a9b4d2f48a6b3e5","name":"handbook"}}';

const readEvents = route({
  method: "GET",
  path: "/api/admin/events",
  access: "operator",
  query: eventSelection,
  handle(context, { query }) {
    const { eventLog } = context.services;
    const lines = linesOf(toldEvents(eventLog.read(query, clientGone(context)), eventLog), signOfLifeMs);
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

/** What has happened, from the log. */
export const eventRoutes = [readEvents];
