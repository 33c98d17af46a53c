import type { RecordedEvent } from "../src/events/domainEvent.js";
import { categoryOf, idOf, type StreamName } from "../src/events/streams.js";
import { toDatasourceId, toDocumentId, type DatasourceId, type DocumentId } from "../src/shared/ids.js";

/**
 * The incarnation of a datasource that an event is about, from the stream's name where that says so: then the event
 * need not be readable. null for a datasource of which nothing could be read so far: nothing of it is served either.
 */
export function incarnationOf({ stream, event, unreadable }: RecordedEvent): DatasourceId | null {
  const id = idOf(stream);
  const category = categoryOf(stream);
  if (category === "groupGraph" || category === "groupMembers") return toDatasourceId(id);
  if (category === "user" || category === "document") return toDatasourceId(id.slice(0, id.indexOf(":")));
  return unreadable === undefined
    ? (event.data as { readonly datasourceId: DatasourceId }).datasourceId
    : unreadable.datasourceId;
}

/** The document whose stream this is. */
export function documentScope(stream: StreamName): {
  readonly datasourceId: DatasourceId;
  readonly documentId: DocumentId;
} {
  const id = idOf(stream);
  const colon = id.indexOf(":");
  return { datasourceId: toDatasourceId(id.slice(0, colon)), documentId: toDocumentId(id.slice(colon + 1)) };
}
