import { SaxesParser } from "saxes";
import { posix } from "node:path";
import { UnreadableFile } from "../readers/reader.js";
import type { ZipArchive } from "../archive/zipArchive.js";

/** Attributes by their local names, and those with a namespace's prefix by their whole names too. */
export type Attributes = ReadonlyMap<string, string>;

/** An attribute of a namespace, whatever its prefix, where the element has one of its own that is called the same. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  for (const [whole, value] of attributes) if (whole.endsWith(`:${name}`)) return value;
  return undefined;
}

/** What is told of an XML document, in order. Names come without their namespace's prefix. */
export interface XmlHandler {
  /** `false`: nothing inside this element is told, nor its end. */
  open(name: string, attributes: Attributes): boolean | void;
  text?(text: string): void;
  close?(name: string): void;
  /** What is empty and says nothing: dropping it before it is parsed takes a hundredth of the time. */
  readonly emptyElements?: RegExp;
  /** Whether the rest need not be read; called now and then. */
  isDone?(): boolean;
}

/** No office program nests so deep; a file that does is made to exhaust its reader. */
const mostOpenElements = 1_000;

const chunkBytes = 65_536;

/**
 * Reads an XML part of a file. Entities that the document defines itself are not known here: where they are used, the
 * part is refused, so that none can grow.
 *
 * @throws UnreadableFile where it is not well-formed.
 */
export function readXml(bytes: Buffer, part: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ position: false });
  parser.on("error", () => {
    throw new UnreadableFile(`The file is damaged: ${part} in it is not well-formed XML.`);
  });
  tell(parser, part, handler);
  const decoder = new TextDecoder(encodingOf(bytes));
  const { emptyElements } = handler;
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true });
    parser.write(emptyElements === undefined ? chunk : chunk.replace(emptyElements, ""));
    if (handler.isDone?.() === true) return;
  }
  parser.write(decoder.decode()).close();
}

function tell(parser: SaxesParser, part: string, handler: XmlHandler): void {
  let depth = 0;
  let silentFrom = Number.POSITIVE_INFINITY;
  const text = (data: string): void => {
    if (depth < silentFrom) handler.text?.(data);
  };
  parser.on("opentag", (tag) => {
    if (++depth > mostOpenElements)
      throw new UnreadableFile(`The file cannot be read: ${part} in it is nested too deep.`);
    if (depth < silentFrom && handler.open(localName(tag.name), localNames(tag.attributes)) === false)
      silentFrom = depth;
  });
  parser.on("closetag", (tag) => {
    if (depth < silentFrom) handler.close?.(localName(tag.name));
    else if (depth === silentFrom) silentFrom = Number.POSITIVE_INFINITY;
    depth--;
  });
  parser.on("text", text);
  parser.on("cdata", text);
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const noAttributes: Attributes = new Map();

function localNames(attributes: Readonly<Record<string, string>>): Attributes {
  let named: Map<string, string> | undefined;
  for (const name in attributes) {
    named ??= new Map();
    const [value, local] = [attributes[name] ?? "", localName(name)];
    named.set(name, value);
    if (local !== name && !Object.hasOwn(attributes, local)) named.set(local, value);
  }
  return named ?? noAttributes;
}

function encodingOf(bytes: Buffer): string {
  const first = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (first === 0xfffe || first === 0x3c00) return "utf-16le";
  return first === 0xfeff || first === 0x003c ? "utf-16be" : "utf-8";
}

/** What a part of an office file refers to. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type: `header`, `slide`, `notesSlide`. */
  readonly type: string;
  /** The name of the part. */
  readonly target: string;
}

/** The parts that a part refers to; "" is the file as a whole. What lies outside of the file is left out. */
export function relationshipsOf(archive: ZipArchive, part: string): readonly Relationship[] {
  const ofArchive = known.get(archive) ?? new Map<string, readonly Relationship[]>();
  known.set(archive, ofArchive);
  const relationships = ofArchive.get(part) ?? readRelationships(archive, part);
  ofArchive.set(part, relationships);
  return relationships;
}

/** They are read once: each further reading would count as another part of the file, and as more that it unpacks to. */
const known = new WeakMap<ZipArchive, Map<string, readonly Relationship[]>>();

/** The parts of some types that a part refers to, in the order of the types. */
export const targetsOf = (archive: ZipArchive, part: string, types: readonly string[]): readonly string[] =>
  types.flatMap((type) =>
    relationshipsOf(archive, part)
      .filter((one) => one.type === type)
      .map(({ target }) => target),
  );

function readRelationships(archive: ZipArchive, part: string): readonly Relationship[] {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const bytes = archive.part(name);
  const found: Relationship[] = [];
  if (bytes === null) return found;
  readXml(bytes, name, {
    open: (element, attributes) => {
      if (element !== "Relationship" || attributes.get("TargetMode") === "External") return;
      const target = attributes.get("Target") ?? "";
      found.push({
        id: attributes.get("Id") ?? "",
        type: (attributes.get("Type") ?? "").replace(/^.*\//, ""),
        target: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
      });
    },
  });
  return found;
}

/** The part that an office file is about, such as `word/document.xml`. */
export function mainPart(archive: ZipArchive, usual: string): string {
  return relationshipsOf(archive, "").find(({ type }) => type === "officeDocument")?.target ?? usual;
}

/**
 * Collects elements that hold nothing but text, the first of each name: so do title, author and the like stand in
 * files. `open` is told of every element.
 */
export function collectProperties(
  said: Map<string, string>,
  open: (name: string, attributes: Attributes) => void = () => undefined,
): XmlHandler {
  let text = "";
  return {
    open: (name, attributes) => {
      text = "";
      open(name, attributes);
    },
    text: (data) => {
      text += data;
    },
    close: (name) => {
      if (!said.has(name) && text.trim() !== "") said.set(name, text);
      text = "";
    },
  };
}
