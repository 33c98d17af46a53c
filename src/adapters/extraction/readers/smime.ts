import { inflateSync } from "node:zlib";
import { mostUnpackedBytes } from "../archive/zipArchive.js";
import { mediaTypes } from "../detect/mediaTypes.js";
import { EncryptedFile, UnreadableFile, type Reader } from "./reader.js";

/** A signed or packed mail in one piece: the mail in it. Whether its signature is right is nobody's question here. */
export const smime: Reader = {
  async read({ bytes }, context) {
    const { content, kind } = contentOf(bytes);
    if (kind === "encrypted") throw new EncryptedFile("The email is encrypted.");
    if (content === null) throw new UnreadableFile("The file holds a signature alone.");
    const open = (): Buffer => {
      if (kind === "signed") return content;
      const unpacked = inflateSync(content, { maxOutputLength: mostUnpackedBytes });
      context.unpacked(unpacked.length);
      return unpacked;
    };
    return { text: "", facts: {}, parts: [{ name: null, declaredMimeType: typeOf(content), open }] };
  },
};

/** Invoices and contracts are signed so as well. A mail begins with a header. */
const typeOf = (content: Buffer): string | null =>
  /^[A-Za-z-]{1,60}:/.test(content.toString("latin1", 0, 64)) ? mediaTypes.eml : null;

/** Whether a mail can be taken out of what is sent as one. */
export function holdsMail(bytes: Buffer): boolean {
  try {
    const { content, kind } = contentOf(bytes);
    return kind !== "encrypted" && content !== null;
  } catch {
    return false;
  }
}

interface Content {
  readonly kind: "signed" | "compressed" | "encrypted";
  /** null: the mail stands elsewhere. */
  readonly content: Buffer | null;
}

/** Kinds of content, by how their identifiers are written. */
const kinds: Readonly<Record<string, Content["kind"] | undefined>> = {
  "2a864886f70d010702": "signed",
  "2a864886f70d010703": "encrypted",
  "2a864886f70d01091001": "compressed",
  "2a864886f70d0109100109": "compressed",
  "2a864886f70d0109100117": "encrypted",
};

/** Tags of what is looked for; those of a sequence and of an explicit part consist of others. */
const [objectIdentifier, octetString, constructedString, sequence, explicit] = [0x06, 0x04, 0x24, 0x30, 0xa0];

function contentOf(bytes: Buffer): Content {
  const outer = elementAt(bytes, 0, 0);
  const [type, wrapped] = outer.tag === sequence ? childrenOf(bytes, outer) : [];
  const kind = type?.tag === objectIdentifier ? kinds[bytes.toString("hex", type.start, type.end)] : undefined;
  if (kind === undefined || wrapped === undefined) throw damaged();
  if (kind === "encrypted") return { kind, content: null };
  const [data] = childrenOf(bytes, wrapped);
  const info = data === undefined ? [] : childrenOf(bytes, data);
  const inner = info.filter(({ tag }) => tag === sequence).map((one) => childrenOf(bytes, one));
  const [, encapsulated] = inner.find(([first, second]) => isData(first) && second?.tag === explicit) ?? [];
  const [octets] = encapsulated === undefined ? [] : childrenOf(bytes, encapsulated);
  return { kind, content: octets === undefined ? null : octetsOf(bytes, octets) };
}

const isData = (element: Element | undefined): boolean => element?.tag === objectIdentifier;

/** What a file is made of: a tag, and where its value lies. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
}

const deepest = 32;
const mostChildren = 100_000;

const damaged = (): UnreadableFile => new UnreadableFile("The signed email is damaged: it cannot be read.");

function elementAt(bytes: Buffer, at: number, depth: number): Element {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || depth > deepest) throw damaged();
  const count = first > 0x80 ? first - 0x80 : 0;
  const start = at + 2 + count;
  if (count > 4 || start > bytes.length) throw damaged();
  if (first === 0x80) return unsizedAt(bytes, tag, start, depth);
  const length = count === 0 ? first : bytes.readUIntBE(at + 2, count);
  const end = start + length;
  // A file that was cut off still holds the beginning of a mail.
  return { tag, start, end: Math.min(end, bytes.length), next: end };
}

/** An element without a size ends where two zeros stand in place of another one. */
function unsizedAt(bytes: Buffer, tag: number, start: number, depth: number): Element {
  let at = start;
  while (at < bytes.length && !(bytes[at] === 0 && bytes[at + 1] === 0)) at = elementAt(bytes, at, depth + 1).next;
  return { tag, start, end: Math.min(at, bytes.length), next: at + 2 };
}

function childrenOf(bytes: Buffer, { start, end }: Element): readonly Element[] {
  const children: Element[] = [];
  for (let at = start; at < end;) {
    const child = elementAt(bytes, at, 0);
    children.push(child);
    at = child.next;
    if (children.length > mostChildren) throw damaged();
  }
  return children;
}

/** Octets may be written in pieces. */
function octetsOf(bytes: Buffer, element: Element, depth = 0): Buffer {
  if (element.tag === octetString) return bytes.subarray(element.start, element.end);
  if (element.tag !== constructedString || depth > deepest) throw damaged();
  return Buffer.concat(childrenOf(bytes, element).map((child) => octetsOf(bytes, child, depth + 1)));
}
