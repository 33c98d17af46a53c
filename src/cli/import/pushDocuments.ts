import { describeAnswer, type ApiAnswer, type ApiClient } from "../apiClient.js";
import { CliFailure } from "../cliFailure.js";
import type { PushedDocument } from "./toPushedDocument.js";

/** What became of one file (spec: Document index result). */
export interface FileOutcome {
  readonly path: string;
  /** null where no document was made of the file. */
  readonly document_id: string | null;
  readonly outcome: "sent" | "already_indexed" | "skipped" | "failed";
  readonly message: string;
}

interface PushOptions {
  readonly client: ApiClient;
  readonly signal: AbortSignal;
  /**
   * `trial` asks only what would become of the documents, and nothing is written. `neverWidens` lets a document fail
   * that is restricted and would be opened to everybody.
   */
  readonly mode: "push" | "neverWidens" | "trial";
  onOutcome(outcome: FileOutcome): void;
}

/** A trial carries no texts. */
const maxDocumentsPerRequest = { push: 50, neverWidens: 50, trial: 500 } as const;
const paths = {
  push: "/api/indexing/documents",
  neverWidens: "/api/indexing/documents?never_widen=true",
  trial: "/api/indexing/documents/dry-run",
} as const;
const maxCharactersPerRequest = 1_000_000;
const maxRequestsInFlight = 4;

/**
 * Pushes documents through the public API in bounded arrays with a bounded number in flight. A refused array is halved
 * until the document at fault stands alone, so that it fails by itself. Throws where no document could succeed any
 * more: the service is gone for good, the credential is refused, or the signal aborts. Requests in flight are awaited
 * first.
 */
export async function pushDocuments(documents: AsyncIterable<PushedDocument>, options: PushOptions): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const inFlight = new Set<Promise<void>>();
  try {
    for await (const batch of batchesOf(documents, maxDocumentsPerRequest[options.mode])) {
      const push: Promise<void> = pushBatch(batch, { ...options, signal })
        .catch((error: unknown) => failure.abort(error))
        .finally(() => inFlight.delete(push));
      inFlight.add(push);
      if (inFlight.size >= maxRequestsInFlight) await Promise.race(inFlight);
      signal.throwIfAborted();
    }
  } finally {
    await Promise.all(inFlight);
  }
  signal.throwIfAborted();
}

async function* batchesOf(
  documents: AsyncIterable<PushedDocument>,
  mostDocuments: number,
): AsyncGenerator<PushedDocument[]> {
  let batch: PushedDocument[] = [];
  let characters = 0;
  for await (const document of documents) {
    batch.push(document);
    characters += charactersOf(document);
    if (batch.length < mostDocuments && characters < maxCharactersPerRequest) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

const charactersOf = ({ body }: PushedDocument): number =>
  ("text_content" in body ? body.text_content : body.binary_base64).length;

/** The credential is refused, or the service has no such route. */
const refusesAll: ReadonlySet<number> = new Set([401, 403, 404, 405]);

async function pushBatch(batch: readonly PushedDocument[], options: PushOptions): Promise<void> {
  const answer = await options.client.request({
    method: "POST",
    path: paths[options.mode],
    body: { documents: batch },
    signal: options.signal,
  });
  if (answer.status === 200) return reportResults(batch, answer, options);
  if (refusesAll.has(answer.status)) throw new CliFailure(describeAnswer(answer));
  const [first] = batch;
  if (first !== undefined && batch.length === 1) {
    return options.onOutcome({
      path: first.path,
      document_id: first.id,
      outcome: "failed",
      message: describeAnswer(answer),
    });
  }
  const middle = Math.ceil(batch.length / 2);
  await pushBatch(batch.slice(0, middle), options);
  await pushBatch(batch.slice(middle), options);
}

function reportResults(batch: readonly PushedDocument[], answer: ApiAnswer, options: PushOptions): void {
  const { results } = answer.body as { readonly results: readonly Pick<FileOutcome, "outcome" | "message">[] };
  for (const [index, { path, id }] of batch.entries()) {
    const { outcome, message } = results[index] ?? {
      outcome: "failed",
      message: "The service's answer does not speak of this document.",
    };
    options.onOutcome({ path, document_id: id, outcome, message });
  }
}
