import type { BrowsableLog, BrowseRequest, AskEventPage, EventPage } from "../../events/eventSelection.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { streamCategories } from "../../events/streams.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";

/** What a page of events is made from. */
interface EventPageServices {
  readonly log: BrowsableLog;
  /** Where the log stood at a time: see `LogClock`. */
  positionAt(time: number): Promise<Position>;
  now?(): number;
}

/** A page that finds little ends after so long, and says where to go on. */
const longestMs = 250;

const maxBatchSize = 500;

/** Looks through the log for the events that were asked for: a page of them, or what is found in a moment. */
export async function readEventPage(asked: AskEventPage, services: EventPageServices): Promise<EventPage> {
  const { now = () => performance.now() } = services;
  const bounds = await boundsOf(asked, services);
  const isBeyond = (position: Position): boolean =>
    asked.order === "forwards"
      ? bounds.upTo !== null && position > bounds.upTo
      : bounds.after !== null && position <= bounds.after;
  const isWanted = wantedIn(asked);
  const found: RecordedEvent[] = [];
  const end = now() + longestMs;
  for await (const { events, position } of services.log.browse(requestOf(asked, bounds))) {
    for (const event of events) {
      if (isBeyond(event.position)) return { events: found, next: null };
      if (!isWanted(event)) continue;
      found.push(event);
      if (found.length === asked.count) return { events: found, next: event.position };
    }
    if (isBeyond(position)) break;
    if (now() > end) return { events: found, next: position };
  }
  return { events: found, next: null };
}

/** Both inclusive at their own end: what is behind `after`, up to `upTo`. null: the log's own. */
interface Bounds {
  readonly after: Position | null;
  readonly upTo: Position | null;
}

async function boundsOf(
  { since, until }: AskEventPage,
  { positionAt }: Pick<EventPageServices, "positionAt">,
): Promise<Bounds> {
  return {
    after: since === null ? null : await positionAt(since - 1),
    upTo: until === null ? null : await positionAt(until),
  };
}

function requestOf(asked: AskEventPage, bounds: Bounds): BrowseRequest {
  const { stream, category, type, order, about, correlationId, causationId } = asked;
  // Whatever is named alone is named by every event that is wanted; of a person one of several names is enough.
  const mentioning = correlationId !== null ? [correlationId] : causationId !== null ? [causationId] : (about ?? []);
  return {
    ...{ order, stream, type, mentioning, maxBatchSize },
    categories: category === null ? streamCategories : [category],
    start: startOf(asked, bounds),
  };
}

/** The narrowest of where the page before ended, where the caller wants to begin, and the times. */
function startOf({ order, from, next }: AskEventPage, { after, upTo }: Bounds): BrowseRequest["start"] {
  const starts = [
    ...(next === null ? [] : [{ position: next, inclusive: false }]),
    ...(from === null ? [] : [{ position: from, inclusive: true }]),
    ...(order === "forwards" && after !== null ? [{ position: after, inclusive: false }] : []),
    ...(order === "backwards" && upTo !== null ? [{ position: upTo, inclusive: true }] : []),
  ];
  const reach = ({ position, inclusive }: (typeof starts)[number]): bigint =>
    order === "forwards" ? position * 2n + (inclusive ? 0n : 1n) : -(position * 2n - (inclusive ? 0n : 1n));
  const [narrowest] = starts.toSorted((one, other) => (reach(one) > reach(other) ? -1 : 1));
  return narrowest === undefined || (order === "forwards" && narrowest.position === beginning)
    ? null
    : { position: toPosition(narrowest.position), inclusive: narrowest.inclusive };
}

function wantedIn({ type, about, correlationId, causationId }: AskEventPage): (event: RecordedEvent) => boolean {
  const names = about === null ? null : new Set(about.map((name) => name.toLowerCase()));
  return (recorded) => {
    const { metadata } = recorded;
    if (type !== null && typeOf(recorded) !== type) return false;
    if (correlationId !== null && metadata.correlationId !== correlationId) return false;
    if (causationId !== null && metadata.causationId !== causationId) return false;
    return names === null || names.has(metadata.by.toLowerCase()) || isAbout(recorded, names);
  };
}

/** The type that is stored, also of an event that cannot be read. */
export const typeOf = ({ event, unreadable }: RecordedEvent): string => unreadable?.type ?? event.type;

/** Whether a person is named: by the stream, or as a whole value anywhere in the data. */
function isAbout({ stream, event, unreadable }: RecordedEvent, names: ReadonlySet<string>): boolean {
  const [, owner = stream.slice(stream.indexOf("-") + 1)] = /^user-[^:]*:(.*)$/s.exec(stream) ?? [];
  return names.has(owner.toLowerCase()) || (unreadable === undefined && mentions(event.data, names));
}

function mentions(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value === "string") return names.has(value.toLowerCase());
  return typeof value === "object" && value !== null && Object.values(value).some((inner) => mentions(inner, names));
}
