import { guessEncoding } from "../decodeText.js";
import { decodeAs } from "../encodings.js";
import { DamagedDirectory, isUnpackedHere, ZipArchive, type ZipEntry } from "../archive/zipArchive.js";
import { unpackArchive } from "../archive/sevenZip.js";
import {
  EncryptedFile,
  type FileText,
  type FileToRead,
  type InnerFile,
  type Reader,
  type ReadingContext,
} from "./reader.js";

/** What file systems leave behind. */
const noFile = /\/$|^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** ZIP archives: the name of each file, and its text. What has no directory, or odd packing, 7-Zip may still read. */
export const zip: Reader = {
  async read(file, context) {
    const archive = openZip(file.bytes, context);
    const files = archive?.entries.filter(({ name }) => !noFile.test(name)) ?? [];
    if (archive === null || !files.every(isUnpackedHere)) return archiveOfAnyKind.read(file, context);
    if (files.length > 0 && files.every(({ isEncrypted }) => isEncrypted))
      throw new EncryptedFile("The archive is encrypted.");
    const names = await namesOf(files);
    return withFiles(files.map((entry, at) => ({ name: names[at] ?? "", open: () => archive.unpack(entry) })));
  },
};

/** What programs of Asia and Russia wrote is told by all old names together; elsewhere it is what DOS wrote. */
async function namesOf(entries: readonly ZipEntry[]): Promise<readonly string[]> {
  const old = entries.flatMap(({ oldName }) => oldName ?? []);
  const guess = old.length === 0 ? null : await guessEncoding(Buffer.concat(old.flatMap((name) => [name, lineEnd])));
  return entries.map(({ name, oldName }) =>
    oldName === null || guess === null ? name : (decodeAs(oldName, guess) ?? name),
  );
}

const lineEnd = Buffer.from("\n");

function openZip(bytes: Buffer, context: ReadingContext): ZipArchive | null {
  try {
    return new ZipArchive(bytes, context);
  } catch (error) {
    if (error instanceof DamagedDirectory) return null;
    throw error;
  }
}

/** Archives of other kinds, and files that are packed by themselves. */
export const archiveOfAnyKind: Reader = {
  async read({ bytes, name }: FileToRead, context): Promise<FileText> {
    const files = await unpackArchive(bytes, name, context);
    const read = files.filter((file) => !noFile.test(file.name));
    return withFiles(read.map((file) => ({ name: file.name, open: () => file.bytes })));
  },
};

const withFiles = (files: readonly Pick<InnerFile, "name" | "open">[]): FileText => ({
  text: "",
  facts: {},
  parts: files.map((file) => ({ ...file, declaredMimeType: null })),
});
