import { orNullAfter } from "../../shared/orNullAfter.js";
import type { Answer, AnswerEnd, AnswerEvent } from "../chat.js";
import { Citations } from "../completion/citations.js";
import { besidesText, toAnnotations, toUsage } from "../messages/completionAnswer.js";
import { errorOf, refusalOf } from "./failures.js";

/** After so much silence a comment tells everybody on the way that the connection is alive. */
export const keepAliveMs = 15_000;

export interface FrameOptions {
  readonly includeUsage: boolean;
  /** What has come of the answer's first event; the rest is asked for when it is wanted. */
  readonly first: Promise<IteratorResult<AnswerEvent, void>>;
  readonly rest: AsyncIterator<AnswerEvent, void>;
  /** Aborts when the client is gone, and nobody reads what follows. */
  readonly gone: AbortSignal;
  /** After so much silence a comment is sent. */
  readonly keepAliveMs: number;
}

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const closing = "data: [DONE]\n\n";
const comment = (text: string): string => `: ${text}\n\n`;

/**
 * An answer as server-sent events: chunks in data frames, everything else in comments. Each frame is made when the one
 * before has been taken. A failure on the way is a frame too.
 */
export async function* framesOf(answer: Answer, options: FrameOptions): AsyncGenerator<string, void, void> {
  try {
    yield* chunksOf(answer, options);
  } catch (error) {
    if (options.gone.aborted) return;
    const refusal = refusalOf(error);
    yield frame({ error: errorOf(refusal) });
    yield closing;
    // What nobody expected cuts the connection, and is in the log.
    if (refusal === null) throw error;
    return;
  } finally {
    await options.rest.return?.();
  }
  yield closing;
}

async function* chunksOf(answer: Answer, options: FrameOptions): AsyncGenerator<string, void, void> {
  const head = { id: answer.id, object: "chat.completion.chunk", created: answer.created, model: answer.model };
  const citations = new Citations();
  let role: { role?: "assistant" } = { role: "assistant" };
  for (let next = options.first; ; next = options.rest.next()) {
    for (;;) {
      const taken = await orNullAfter(options.keepAliveMs, next);
      if (taken !== null) break;
      yield comment("keep-alive");
    }
    const { done, value: event } = await next;
    if (done === true) return;
    if (event.kind === "progress") yield comment(event.note);
    else if (event.kind === "text") {
      citations.add(event.text);
      const delta = { ...role, content: event.text };
      role = {};
      yield frame({ ...head, choices: [{ index: 0, delta, finish_reason: null }] });
    } else yield* lastChunks({ ...head }, { ...role }, event, citations, options.includeUsage);
  }
}

function* lastChunks(
  head: object,
  role: object,
  end: AnswerEnd,
  citations: Citations,
  includeUsage: boolean,
): Generator<string, void, void> {
  const said = besidesText(end);
  const delta = { ...role, annotations: toAnnotations(citations, end.sources), sources: said.sources };
  yield frame({ ...head, choices: [{ index: 0, delta, finish_reason: end.finishReason }], ...said });
  if (includeUsage) yield frame({ ...head, choices: [], usage: toUsage(end.usage), ...said });
}
