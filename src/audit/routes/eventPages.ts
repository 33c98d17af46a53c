import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory, StreamName } from "../../events/streams.js";
import { clientGone, type ApiContext } from "../../http/apiContext.js";
import { toPosition } from "../../shared/position.js";

/** Which events are told: of one stream or of a category, from a position of the log on. */
export interface PageOfEvents {
  readonly stream: StreamName | null;
  readonly category: StreamCategory;
  readonly from: number;
  readonly count: number;
}

/** Reads a page of what is told of events, in the order of the log. `next` is missing on the last. */
export async function readPage<Item extends { readonly position: string }>(
  context: ApiContext,
  { stream, category, from, count }: PageOfEvents,
  told: (event: RecordedEvent) => readonly Item[],
): Promise<{ items: Item[]; next?: string }> {
  const selection = { stream, category, from: toPosition(from), follow: false };
  const items: Item[] = [];
  for await (const events of context.services.eventLog.read(selection, clientGone(context))) {
    items.push(...events.filter(({ unreadable }) => unreadable === undefined).flatMap(told));
    if (items.length > count) break;
  }
  const next = items[count]?.position;
  return { items: items.slice(0, count), ...(next !== undefined && { next }) };
}
