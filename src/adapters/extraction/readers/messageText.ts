import type { FileText, ReadingContext } from "./reader.js";
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
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly name: string | null;
  readonly mimeType: string | null;
  /** null: what is in it is said in `text`. */
  readonly bytes: Buffer | null;
  readonly text?: string;
}

/** A message as text: what stands above it, its body, then its attachments with their names. */
export async function messageText(message: Message, context: ReadingContext): Promise<FileText> {
  const text = new TextBuilder(context.maxCharacters);
  for (const line of messageHead(message)) text.addLines(line);
  text.addLines(message.body.trim());
  for (const attachment of message.attachments) {
    if (text.isFull) break;
    text.addLines(oneLine(attachment.name) ?? "");
    text.addLines(await attachedText(attachment, context));
  }
  const [from] = message.from;
  const facts = { title: oneLine(message.subject), author: oneLine(from), createdAt: instantOf(message.date) };
  return { text: text.toString(), facts };
}

/** Subject, sender, recipients and date, a line each. */
export const messageHead = ({ subject, from, to, cc, date }: Message): readonly string[] =>
  [subject ?? "", from.join(", "), to.join(", "), cc.join(", "), instantOf(date) ?? date ?? ""].filter(
    (line) => line !== "",
  );

async function attachedText({ bytes, name, mimeType, text }: Attachment, context: ReadingContext): Promise<string> {
  if (bytes === null) return text ?? "";
  return (await context.readInner({ bytes, name, declaredMimeType: mimeType })) ?? "";
}

/** How a person is written. */
export function person(name: string | undefined, address: string | undefined): string {
  if (name === undefined || name === "" || name === address) return address ?? "";
  return address === undefined || address === "" ? name : `${name} <${address}>`;
}
