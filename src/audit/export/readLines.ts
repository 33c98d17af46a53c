const newline = 0x0a;
/** No line of an export can be longer: it would not fit into a string. */
const longestLine = 256 * 1024 * 1024;

/** A line of a file, without its newline. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** False for the last line of a file that does not end with a newline. */
  readonly isEnded: boolean;
}

/**
 * Cuts bytes into lines as they come: no more is held than one line and one chunk. A longer line than any export has is
 * cut.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine, void, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let held = 0;
  const take = (last: Buffer, isEnded: boolean): FileLine => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    return { number: ++number, bytes, isEnded };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      yield take(bytes.subarray(start, end), true);
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    if (held + rest.length > longestLine) {
      yield take(rest, false);
    } else if (rest.length > 0) {
      parts.push(rest);
      held += rest.length;
    }
  }
  if (held > 0) yield take(Buffer.alloc(0), false);
}
