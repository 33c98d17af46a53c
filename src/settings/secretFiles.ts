import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { failed, ok, type Result } from "../shared/result.js";

/** More than any secret has. */
const longestBytes = 65_536;

/** What the environment says of a secret. */
interface GivenSecret {
  /** Undefined where nothing is set. */
  readonly text: string | undefined;
  /** The variable that has said it. */
  readonly variable: string;
  readonly isInFile: boolean;
}

/**
 * The secret that the variable `name` holds, or the file that `{name}_FILE` names: its whole text, without the end of
 * its line. An empty variable is as one that is not set. Fails with a sentence that repeats neither the secret nor the
 * path, because people mistake the one for the other (docs/design/accounts.md).
 */
export function secretOf(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Result<GivenSecret, string> {
  const variable = `${name}_FILE`;
  const [held, path] = [environment[name], environment[variable]];
  if (!path) return ok({ text: held, variable: name, isInFile: false });
  if (held) return failed(`${name} and ${variable} are both set. Set one of them.`);
  const text = textOfFile(path);
  return text.ok ? ok({ text: text.value, variable, isInFile: true }) : failed(`${variable} ${text.error}`);
}

function textOfFile(path: string): Result<string, string> {
  const bytes = bytesOf(path);
  if (!bytes.ok) return bytes;
  if (bytes.value.length > longestBytes)
    return failed(`names a file of more than ${longestBytes} bytes, which is no secret.`);
  const text = bytes.value.toString("utf8").replace(/\r?\n$/, "");
  return text === "" ? failed("names a file that is empty.") : ok(text);
}

/** The content of the file, up to one byte more than is allowed. Where the path names a pipe, nothing waits for it. */
function bytesOf(path: string): Result<Buffer, string> {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return failed("names what is no file.");
    const bytes = Buffer.alloc(longestBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return ok(bytes.subarray(0, length));
  } catch (error) {
    return failed(unread((error as NodeJS.ErrnoException).code));
  } finally {
    if (file !== null) closeSync(file);
  }
}

function unread(code = "unknown"): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "names a file that is not there.";
  if (code === "EACCES" || code === "EPERM") return "names a file that this user may not read.";
  return `names a file that cannot be read (${code}).`;
}
