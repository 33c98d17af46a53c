import { mediaTypes } from "../detect/mediaTypes.js";
import type { InnerFile, Reader } from "./reader.js";

/** A mailbox in one file: its mails, one after the other. How many are read is bounded as for every file in another. */
export const mbox: Reader = {
  async read({ bytes }) {
    return { text: "", facts: {}, parts: mailsOf(bytes) };
  },
};

/** More than are read of any file, so that what is left out is told. */
const mostMails = 10_000;
const beginning = Buffer.from("From ");
const nextBeginning = Buffer.from("\nFrom ");

function mailsOf(bytes: Buffer): readonly InnerFile[] {
  const mails: InnerFile[] = [];
  let from = bytes.subarray(0, beginning.length).equals(beginning) ? 0 : bytes.indexOf(nextBeginning) + 1;
  while (mails.length < mostMails) {
    const next = nextMail(bytes, from);
    mails.push(mail(bytes.subarray(from, next === -1 ? bytes.length : next)));
    if (next === -1) break;
    from = next;
  }
  return mails;
}

/** A mail begins after an empty line; programs put a sign before a `From` within a text. */
function nextMail(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(nextBeginning, from); at !== -1; at = bytes.indexOf(nextBeginning, at + 1)) {
    const before = bytes[at - 1] === 0x0d ? bytes[at - 2] : bytes[at - 1];
    if (before === 0x0a) return at + 1;
  }
  return -1;
}

/** Without the line that only says that a mail begins. */
function mail(bytes: Buffer): InnerFile {
  const line = bytes.indexOf(0x0a);
  return { name: null, declaredMimeType: mediaTypes.eml, open: () => bytes.subarray(line + 1) };
}
