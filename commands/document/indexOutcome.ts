import type { Datasource } from "../../src/events/datasource.js";
import type { ContentReference, DocumentEvent, DocumentIndexed } from "../../src/events/document.js";
import type { FileFacts } from "../../src/events/fileFacts.js";
import type { CommandContext } from "../command.js";
import { isAlreadyIndexed, type DocumentState } from "./decider.js";
import type { IndexedDocument, ReadDocument } from "./indexing.js";
import { skipReason } from "./skipReason.js";

const sent = "document sent to the indexing pipeline.";
const widened = "It was restricted before; now every user registered on the datasource can see it.";
const wouldBeSent = "Nothing was written: the document would be sent to the indexing pipeline.";
const wouldBeWidened = "It is restricted; every user registered on the datasource would see it.";
const noText = "The file holds no text that can be read: it is found by its title and properties.";
const cutAfter = (bytes: number): string =>
  `The text of the file is longer than what is kept of one: it was cut after ${bytes} bytes, and what follows is not found.`;
const overtaken =
  "While the file was read, a later push or deletion of the document was taken: that one stands. Send the file again if it is meant.";
const forNobody = "It carries no permissions, and the datasource's default_access is nobody: nobody sees it.";

/** What a decision came to, and whether it is carried out. */
interface Decided extends Pick<CommandContext, "dryRun"> {
  readonly events: readonly DocumentEvent[];
}

/** What a client is told of an accepted document (spec: Document index result). */
export function indexOutcome(
  document: ReadDocument,
  datasource: Pick<Datasource, "defaultAccess">,
  previous: DocumentState,
  { events, dryRun = false }: Decided,
): IndexedDocument {
  const { documentId } = document;
  const [event] = events;
  if (event?.type === "DocumentIndexed") return { documentId, outcome: "sent", message: sentMessage(event, dryRun) };
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

function sentMessage(
  { data: { access, widenedToAnonymous, content, file } }: DocumentIndexed,
  dryRun: boolean,
): string {
  const [plainly, openly] = dryRun ? [wouldBeSent, wouldBeWidened] : [sent, widened];
  return [
    plainly,
    ...(widenedToAnonymous ? [openly] : []),
    ...(file === undefined ? [] : remarksOnFile(file, content)),
    ...(access.isDefault === true && !access.anonymous ? [forNobody] : []),
  ].join(" ");
}

function remarksOnFile(file: FileFacts, { bytes }: ContentReference): readonly string[] {
  if (bytes === 0) return [noText];
  return file.truncated === true ? [cutAfter(bytes)] : [];
}

/** What a client is told of a file that was read too late. */
export const overtakenOutcome = ({ documentId }: ReadDocument): IndexedDocument => ({
  documentId,
  outcome: "skipped",
  message: overtaken,
});
