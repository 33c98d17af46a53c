import { decodeText } from "../decodeText.js";
import { UnreadableFile, type FileToRead, type Reader } from "./reader.js";

/** Text as it stands: plain, Markdown, CSV, source code. */
export const plainText: Reader = {
  async read(file) {
    return { text: await decoded(file, null), facts: {} };
  },
};

/**
 * The characters of a text file.
 *
 * @throws UnreadableFile, or UnstorableText where the file is no text.
 */
export async function decoded(
  { bytes, charset }: Pick<FileToRead, "bytes" | "charset">,
  declaration: RegExp | null,
): Promise<string> {
  const outcome = await decodeText(bytes, charset, declaration);
  if (outcome.ok) return outcome.text;
  if (outcome.isUnstorable === true) throw new UnstorableText();
  throw new UnreadableFile(`No text could be extracted. ${outcome.reason}`);
}

/** Thrown for a file of a text media type that holds NUL characters or unpaired surrogates. */
export class UnstorableText extends Error {}
