/** What a stream of server-sent events brings: data, or a comment, which tells what is done meanwhile. */
export type StreamEvent = { readonly kind: "data" | "comment"; readonly text: string };

const lineEnd = /\r\n|\r|\n/;

function eventIn(line: string): readonly StreamEvent[] {
  if (line.startsWith("data:")) return [{ kind: "data", text: line.slice("data:".length).trim() }];
  return line.startsWith(":") ? [{ kind: "comment", text: line.slice(1).trim() }] : [];
}

/** Reads a stream of events, each as soon as it is whole. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamEvent, void, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(lineEnd);
      rest = lines.pop() ?? "";
      yield* lines.flatMap(eventIn);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
