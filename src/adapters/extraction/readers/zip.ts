import { ZipArchive } from "../archive/zipArchive.js";
import { UnreadableFile, type InnerFile, type Reader } from "./reader.js";

/** What file systems leave behind. */
const noFile = /\/$|^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** Archives: the name of each file, and its text. */
export const zip: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const files = archive.entries.filter(({ name }) => !noFile.test(name));
    if (files.length > 0 && files.every(({ isEncrypted }) => isEncrypted))
      throw new UnreadableFile("The archive is encrypted.");
    const parts = files.map((entry): InnerFile => ({
      name: entry.name,
      declaredMimeType: null,
      open: () => archive.unpack(entry),
    }));
    return { text: "", facts: {}, parts };
  },
};
