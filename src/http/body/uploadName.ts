import { isLongerThan } from "../validation/characters.js";

const longest = 255;

/**
 * What a file is called, without the path that some programs send, in NFC and without control characters; null: it is
 * too long. A file that nobody named is called `file`.
 */
export function uploadNameOf(given: string): string | null {
  const name = given
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  if (isLongerThan(name, longest)) return null;
  return name === "" || name === "." || name === ".." ? "file" : name;
}
