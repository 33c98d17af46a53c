import { setImmediate as nextTurn } from "node:timers/promises";
import { Readable } from "node:stream";
import { cutText } from "../shared/texts.js";
import { orNullAfter } from "../shared/waiting.js";
import { ReadModelUnavailable } from "../shared/failures.js";
import { clientGone, type ApiContext } from "./apiContext.js";
import { unavailable } from "./envelopes.js";
import { RefusedRequest } from "./refusedRequest.js";

/** UTF-16 units that are handed on at once: what a client that stopped taking them leaves unsent. */
const unitsAtOnce = 32_768;

/**
 * The JSON of `answer` with one key more, whose text comes in parts: byte for byte what `JSON.stringify` makes of the
 * whole. A part is asked for when the client has taken what is before it.
 */
export async function* jsonWithText(
  answer: object,
  key: string,
  parts: AsyncIterable<string>,
): AsyncGenerator<string, void, void> {
  yield JSON.stringify({ ...answer, [key]: "" }).slice(0, -2);
  for await (const part of parts)
    for (const piece of cutText(part, () => unitsAtOnce)) {
      yield JSON.stringify(piece).slice(1, -1);
      // The system takes megabytes at once: without this nobody else would have a turn until then.
      await nextTurn();
    }
  yield '"}';
}

/** The JSON of a list, byte for byte: an item is written when the client has taken those before it. */
export async function* jsonOfList<Item>(
  items: readonly Item[],
  toAnswer: (item: Item) => object,
): AsyncGenerator<string, void, void> {
  for (const [place, item] of items.entries()) {
    yield `${place === 0 ? "[" : ","}${JSON.stringify(toAnswer(item))}`;
    await nextTurn();
  }
  yield items.length === 0 ? "[]" : "]";
}

const ndjson = "application/x-ndjson";
/**
 * What is over so soon is answered in one chunk, with the status of its own; and so often is told how far the rest is.
 */
const everyMs = 1_000;

/** Work that may take minutes. It ends, rejecting, where the signal aborts. */
type LongWork<Value extends object> = (onProgress: (progress: object) => void, signal: AbortSignal) => Promise<Value>;

/**
 * Answers with what comes of the work. To a client that takes `application/x-ndjson` it says each second how far it is,
 * so that nobody on the way takes the connection for dead: lines `{"progress": …}`, and as the last one `{"answer":
 * …}`, or `{"failure": {"status": …, "detail": …}}` where it failed after the first second. A client that goes away
 * ends the work.
 */
export async function answerWithProgress<Value extends object>(
  context: ApiContext,
  work: LongWork<Value>,
): Promise<void> {
  let progress: object = {};
  const working = work((latest) => (progress = latest), clientGone(context));
  if (!accepts(context, ndjson)) {
    context.body = await working;
    return;
  }
  // Its failure is told in a line; without this Node would take it for one that nobody handles.
  working.catch(() => undefined);
  await orNullAfter(everyMs, working);
  context.set("Content-Type", ndjson);
  context.body = Readable.from(
    lines(working, () => progress),
    { highWaterMark: 1 },
  );
}

/** True where the client names this media type as one that it takes. */
const accepts = ({ req }: ApiContext, mediaType: string): boolean =>
  (req.headers.accept ?? "").split(",").some((range) => range.split(";")[0]?.trim().toLowerCase() === mediaType);

async function* lines<Value extends object>(
  working: Promise<Value>,
  progress: () => object,
): AsyncGenerator<string, void, void> {
  const ended = working.then((answer) => ({ answer }), failureOf);
  for (;;) {
    const outcome = await orNullAfter(everyMs, ended);
    yield `${JSON.stringify(outcome ?? { progress: progress() })}\n`;
    if (outcome !== null) return;
  }
}

/** An expected failure becomes a line. Any other cuts the connection, and is in the log. */
function failureOf(error: unknown): { readonly failure: object } {
  const refusal =
    error instanceof RefusedRequest ? error.refusal : error instanceof ReadModelUnavailable ? unavailable(error) : null;
  if (refusal === null) throw error;
  return { failure: { status: refusal.status, ...(refusal.body as object) } };
}
