/** More of an event would be held in memory for nothing: no model writes as much at once. */
const longestEvent = 4_194_304;

/** Thrown where an event of a stream, or a line of it, is too long to be one. */
export class EndlessEvent extends Error {
  override readonly name = "EndlessEvent";
}

/**
 * The data of the events of an SSE stream (WHATWG HTML, 9.2.6), one after the other, as their bytes come. Comments and
 * fields other than `data` are passed over. An event that the stream ends in is none.
 */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let data: string[] = [];
  let held = 0;
  for await (const line of linesOf(bytes)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      [data, held] = [[], 0];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      held += line.length;
      if (held > longestEvent) throw new EndlessEvent();
    }
  }
}

/** Looks at each piece once, however many of them a line comes in. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let [line, halfEnd] = ["", ""];
  for await (const piece of bytes) {
    const text = halfEnd + decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    halfEnd = text.endsWith("\r") ? "\r" : "";
    const [first = "", ...others] = text.slice(0, text.length - halfEnd.length).split(/\r\n|\n|\r/);
    line += first;
    for (const next of others) {
      yield line;
      line = next;
    }
    if (line.length > longestEvent) throw new EndlessEvent();
  }
}
