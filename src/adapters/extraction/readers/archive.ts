import { DamagedDirectory, isUnpackedHere, ZipArchive } from "../archive/zipArchive.js";
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
    return withFiles(files.map((entry) => ({ name: entry.name, open: () => archive.unpack(entry) })));
  },
};

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
