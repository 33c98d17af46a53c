import { ZipArchive, UnpackedTooMuch, type ZipEntry } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { UnreadableFile, type Reader, type ReadingContext } from "./reader.js";

/** So many entries of an archive are read; the others are left out. */
const mostEntriesRead = 1_000;

/** What file systems leave behind. */
const noFile = /\/$|^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** Archives: the name of each file, and its text. */
export const zip: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const files = archive.entries.filter(({ name }) => !noFile.test(name));
    if (files.length > 0 && files.every(({ isEncrypted }) => isEncrypted))
      throw new UnreadableFile("The archive is encrypted.");
    const text = new TextBuilder(context.maxCharacters);
    for (const entry of files.slice(0, mostEntriesRead)) {
      if (text.isFull) break;
      text.addLines(entry.name);
      text.addLines(await textOf(archive, entry, context));
    }
    return { text: text.toString(), facts: files.length > mostEntriesRead ? { truncated: true } : {} };
  },
};

/** A file that cannot be unpacked is named, and the others are read. */
async function textOf(archive: ZipArchive, entry: ZipEntry, context: ReadingContext): Promise<string> {
  try {
    const bytes = archive.unpack(entry);
    return (await context.readInner({ bytes, name: entry.name, declaredMimeType: null })) ?? "";
  } catch (error) {
    if (error instanceof UnpackedTooMuch || !(error instanceof UnreadableFile)) throw error;
    return "";
  }
}
