import type { RecordedEvent } from "../src/events/domainEvent.js";
import { categoryOf } from "../src/events/streams.js";
import { toDatasourceId, type DatasourceId } from "../src/shared/ids.js";

/**
 * Which incarnation of a datasource an event is about, also where the event could not be read: from the stream's name,
 * where that says so. Null for a datasource of which nothing could be read so far, and so nothing is served.
 */
export function incarnationOf({ stream, event, unreadable }: RecordedEvent): DatasourceId | null {
  const id = stream.slice(stream.indexOf("-") + 1);
  const category = categoryOf(stream);
  if (category === "groupGraph") return toDatasourceId(id);
  if (category === "user" || category === "document") return toDatasourceId(id.slice(0, id.indexOf(":")));
  return unreadable === undefined
    ? (event.data as { readonly datasourceId: DatasourceId }).datasourceId
    : unreadable.datasourceId;
}
