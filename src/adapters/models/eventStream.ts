/** More of a line would be held in memory for nothing: no model writes as much at once. */
const longestLine = 4_194_304;

/** Thrown where a line of a stream is too long to be one. */
export class EndlessLine extends Error {
  override readonly name = "EndlessLine";
}

/**
 * The data of the events of an SSE stream (WHATWG HTML, 9.2.6), one after the other, as their bytes come. Comments and
 * fields other than `data` are passed over. An event that the stream ends in is none.
 */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let data: string[] = [];
  for await (const line of linesOf(bytes)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > longestLine) throw new EndlessLine();
    yield* lines;
  }
}
