import type { DocumentEvent, DocumentIndexed } from "../../src/events/document.js";
import { documentOf } from "../../src/events/streams.js";
import type { UnclaimedText } from "../ports.js";

/** The document stays as it is; the event is what supersedes the text. */
export function withdrawn(
  { stream, datasource, reference }: UnclaimedText,
  state: DocumentIndexed["data"] | null,
): DocumentEvent[] {
  if (state === null) {
    // Every text of a document says to which datasource it belongs.
    if (datasource === undefined) return [];
    return [{ type: "DocumentDeleted", data: { ...documentOf(stream), datasource, supersededContent: reference } }];
  }
  if (state.content.sha256 === reference.sha256) return [];
  return [{ type: "DocumentIndexed", data: { ...state, supersededContent: reference, widenedToAnonymous: false } }];
}
