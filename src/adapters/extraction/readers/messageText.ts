import type { FileText, InnerFile, ReadingContext } from "./reader.js";
import { TextBuilder } from "../textBuilder.js";
import { instantOf, oneLine } from "./factValues.js";

/** An email, of whatever format. */
export interface Message {
  readonly subject: string | null;
  /** People as `Ada Lovelace <ada@example.org>`. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly date: string | null;
  readonly body: string;
  readonly attachments: readonly InnerFile[];
}

/** A message as text: what stands above it, and its body. Its attachments are its parts. */
export function messageText(message: Message, { maxCharacters }: Pick<ReadingContext, "maxCharacters">): FileText {
  const text = new TextBuilder(maxCharacters);
  for (const line of messageHead(message)) text.addLines(line);
  text.addLines(message.body.trim());
  const [from] = message.from;
  const facts = { title: oneLine(message.subject), author: oneLine(from), createdAt: instantOf(message.date) };
  return { text: text.toString(), facts, parts: message.attachments };
}

/** Subject, sender, recipients and date, a line each. */
const messageHead = ({ subject, from, to, cc, date }: Message): readonly string[] =>
  [subject ?? "", from.join(", "), to.join(", "), cc.join(", "), instantOf(date) ?? date ?? ""].filter(
    (line) => line !== "",
  );

/** How a person is written. */
export function person(name: string | undefined, address: string | undefined): string {
  if (name === undefined || name === "" || name === address) return address ?? "";
  return address === undefined || address === "" ? name : `${name} <${address}>`;
}
