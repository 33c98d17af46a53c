import { Readable } from "node:stream";
import { orNullAfter } from "../shared/orNullAfter.js";
import { ReadModelUnavailable } from "../shared/readModelUnavailable.js";
import { clientGone, type ApiContext } from "./apiContext.js";
import { unavailable } from "./envelopes.js";
import { RefusedRequest } from "./refusedRequest.js";

const ndjson = "application/x-ndjson";
/**
 * What is over so soon is answered in one chunk, with the status of its own; and so often is told how far the rest is.
 */
const everyMs = 1_000;

/** Work that may take minutes. It ends, rejecting, where the signal aborts. */
export type LongWork<Value extends object> = (
  onProgress: (progress: object) => void,
  signal: AbortSignal,
) => Promise<Value>;

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
