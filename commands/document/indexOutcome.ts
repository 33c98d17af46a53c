import type { DocumentEvent } from "../../src/events/document.js";
import type { CommandContext } from "../command.js";
import { isAlreadyIndexed, type DocumentState } from "./decider.js";
import type { IndexDocument, IndexedDocument } from "./indexing.js";
import { skipReason } from "./skipReason.js";

const sent = "document sent to the indexing pipeline.";
const widened = `${sent} It was restricted before; now every user registered on the datasource can see it.`;
const wouldBeSent = "Nothing was written: the document would be sent to the indexing pipeline.";
const wouldBeWidened = `${wouldBeSent} It is restricted; every user registered on the datasource would see it.`;

/** What a client is told of an accepted document (spec: Document index result). */
export function indexOutcome(
  document: IndexDocument,
  previous: DocumentState,
  events: readonly DocumentEvent[],
  { dryRun = false }: Pick<CommandContext, "dryRun"> = {},
): IndexedDocument {
  const { documentId } = document;
  const [event] = events;
  if (event?.type === "DocumentIndexed") {
    const [plainly, openly] = dryRun ? [wouldBeSent, wouldBeWidened] : [sent, widened];
    return { documentId, outcome: "sent", message: event.data.widenedToAnonymous ? openly : plainly };
  }
  if (isAlreadyIndexed(document, previous)) {
    return {
      documentId,
      outcome: "already_indexed",
      message: "last_modified and permissions are unchanged: the indexed version stays.",
    };
  }
  const reason = skipReason(document.body) ?? "The pipeline did not take the document.";
  return {
    documentId,
    outcome: "skipped",
    message: previous === null ? reason : `${reason} The version indexed before stays.`,
  };
}
