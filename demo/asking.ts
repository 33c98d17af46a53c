import type { Person } from "./company.js";
import type { ServiceUnderDemo } from "./serviceUnderDemo.js";

/** What an answer rests on. */
export interface Source {
  readonly title: string;
  readonly url: string;
}

interface Chunk {
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
  readonly sources?: readonly Source[];
  readonly error?: { readonly message: string };
}

/** The model that every service has. */
export const model = "amber-extractive";

/** Asks the extractive model as a person, with internal search; hands on the text as it comes. */
export async function ask(
  { url, credentials }: ServiceUnderDemo,
  person: Person,
  question: string,
  onText: (text: string) => void,
): Promise<readonly Source[]> {
  const answer = await fetch(`${url}/api/beta/amberai/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${credentials.keys.get(person.email) ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      ...{ model, stream: true, messages: [{ role: "user", content: question }] },
      tools: [{ type: "function", function: { name: "internalSearch" } }],
    }),
  });
  if (!answer.ok || answer.body === null) throw new Error(`No answer came. ${answer.status} ${await answer.text()}`);
  let sources: readonly Source[] = [];
  for await (const chunk of chunksOf(answer.body)) {
    if (chunk.error !== undefined) throw new Error(chunk.error.message);
    for (const { delta } of chunk.choices ?? []) if (delta.content !== undefined) onText(delta.content);
    sources = chunk.sources ?? sources;
  }
  return sources;
}

/** The chunks of an event stream; comments and the closing mark are none. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk, void, void> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames)
      if (frame.startsWith("data: ") && frame !== "data: [DONE]")
        yield JSON.parse(frame.slice("data: ".length)) as Chunk;
  }
}
