import type { RecordedEvent } from "../../events/domainEvent.js";
import type { EventSource } from "../../events/eventSource.js";
import { readUpTo } from "../../events/readUpTo.js";
import { permissionCategories } from "../../events/streams.js";
import { beginning } from "../../shared/position.js";
import type { PermissionLog } from "../ports/export.js";
import type { PermissionEvent } from "./exportedFacts.js";

/** So many take the thread a few milliseconds. */
const eventsAtOnce = 200;

/** The log as exports read it: from the beginning, in its order, to a position and no further. */
export const permissionLogOf = (source: EventSource): PermissionLog => ({
  head: () => source.head(),
  events: async function* (upTo, signal) {
    for await (const { events, position } of readUpTo({
      log: source,
      after: beginning,
      upTo,
      categories: permissionCategories,
      maxBatchSize: eventsAtOnce,
      signal,
    })) {
      const unread = events.find(({ unreadable }) => unreadable !== undefined);
      if (unread?.unreadable !== undefined) throw unread.unreadable.reason;
      // The streams have these categories, so the events have these types.
      yield { events: events as readonly RecordedEvent<PermissionEvent>[], position };
    }
  },
});
