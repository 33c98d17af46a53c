import { posix } from "node:path";
import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { collectProperties, readXml } from "../xml/readXml.js";
import { instantOf, languageCode, oneLine, titleOf } from "./factValues.js";
import { decodedPage, pageText } from "./html.js";
import { EncryptedFile, UnreadableFile, type FileText, type Reader } from "./reader.js";

/** Books: their chapters in the order of reading. */
export const epub: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const { chapters, facts } = readPackage(archive);
    refuseEncrypted(archive, chapters);
    const text = new TextBuilder(context.maxCharacters);
    for (const chapter of chapters) {
      if (text.isFull) break;
      const page = archive.part(chapter);
      if (page !== null) text.addLines(pageText(await decodedPage({ bytes: page, charset: null })));
    }
    return { text: text.toString(), facts };
  },
};

/** Fonts are often veiled; a book whose chapters are can be opened with its seller's programs only. */
function refuseEncrypted(archive: ZipArchive, chapters: readonly string[]): void {
  const part = "META-INF/encryption.xml";
  const bytes = archive.part(part);
  if (bytes === null) return;
  const encrypted = new Set<string>();
  readXml(bytes, part, {
    open: (name, attributes) => {
      if (name === "CipherReference") encrypted.add(unescaped(attributes.get("URI") ?? ""));
    },
  });
  if (chapters.some((chapter) => encrypted.has(chapter))) throw new EncryptedFile("The book is encrypted.");
}

interface Package {
  readonly chapters: readonly string[];
  readonly facts: FileText["facts"];
}

function readPackage(archive: ZipArchive): Package {
  const part = packagePart(archive);
  const bytes = archive.part(part);
  if (bytes === null) throw new UnreadableFile("The file is damaged: the book's list of chapters is missing.");
  const items = new Map<string, string>();
  const spine: string[] = [];
  const said = new Map<string, string>();
  const handler = collectProperties(said, (name, attributes) => {
    // The table of contents repeats the headings.
    const isContents = /\bnav\b/.test(attributes.get("properties") ?? "");
    const target = posix.join(posix.dirname(part), unescaped(attributes.get("href") ?? ""));
    if (name === "item" && !isContents) items.set(attributes.get("id") ?? "", target);
    if (name === "itemref") spine.push(attributes.get("idref") ?? "");
  });
  readXml(bytes, part, handler);
  return { chapters: spine.flatMap((id) => items.get(id) ?? []), facts: factsOf(said) };
}

function packagePart(archive: ZipArchive): string {
  const part = "META-INF/container.xml";
  const bytes = archive.part(part);
  let found = "";
  if (bytes !== null)
    readXml(bytes, part, {
      open: (name, attributes) => {
        if (name === "rootfile" && found === "") found = unescaped(attributes.get("full-path") ?? "");
      },
    });
  return found;
}

const factsOf = (said: ReadonlyMap<string, string>): FileText["facts"] => ({
  title: titleOf(said.get("title")),
  author: oneLine(said.get("creator")),
  language: languageCode(said.get("language")),
  createdAt: instantOf(said.get("date")),
});

/** Names of parts are written as addresses are. */
function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
