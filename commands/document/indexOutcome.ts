import type { Datasource } from "../../src/events/datasource.js";
import type { DocumentEvent } from "../../src/events/document.js";
import type { CommandContext } from "../command.js";
import { isAlreadyIndexed, type DocumentState } from "./decider.js";
import type { IndexDocument, IndexedDocument } from "./indexing.js";
import { skipReason } from "./skipReason.js";

const sent = "document sent to the indexing pipeline.";
const widened = "It was restricted before; now every user registered on the datasource can see it.";
const wouldBeSent = "Nothing was written: the document would be sent to the indexing pipeline.";
const wouldBeWidened = "It is restricted; every user registered on the datasource would see it.";
const forNobody = "It carries no permissions, and the datasource's default_access is nobody: nobody sees it.";

/** What a decision came to, and whether it is carried out. */
interface Decided extends Pick<CommandContext, "dryRun"> {
  readonly events: readonly DocumentEvent[];
}

/** What a client is told of an accepted document (spec: Document index result). */
export function indexOutcome(
  document: IndexDocument,
  datasource: Pick<Datasource, "defaultAccess">,
  previous: DocumentState,
  { events, dryRun = false }: Decided,
): IndexedDocument {
  const { documentId } = document;
  const [event] = events;
  if (event?.type === "DocumentIndexed") {
    const { access, widenedToAnonymous } = event.data;
    const [plainly, openly] = dryRun ? [wouldBeSent, wouldBeWidened] : [sent, widened];
    const remarks = [
      ...(widenedToAnonymous ? [openly] : []),
      ...(access.isDefault === true && !access.anonymous ? [forNobody] : []),
    ];
    return { documentId, outcome: "sent", message: [plainly, ...remarks].join(" ") };
  }
  if (isAlreadyIndexed(document, datasource, previous)) {
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
