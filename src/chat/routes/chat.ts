import { Readable } from "node:stream";
import { json, type tags } from "typia";
import { clientGone, commandContextOf, personOf, type ApiContext, type ApiMiddleware } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { refusal, unavailable } from "../../http/envelopes.js";
import { RefusedRequest, type Refusal } from "../../http/refusedRequest.js";
import { publicOrigin } from "../../http/publicAddresses.js";
import { route } from "../../http/route.js";
import { unchecked } from "../../http/pathParameters.js";
import { unnamed, answerMessage } from "../../http/validation/message.js";
import { orNullAfter } from "../../shared/waiting.js";
import {
  type Answer,
  type AnswerEnd,
  type AnswerEvent,
  type ModelRecord,
  ChatFailure,
  modelNotFound,
} from "../chat.js";
import { Citations } from "../completion/citations.js";
import {
  compatibleErrorAnswer,
  compatibleValidationErrorAnswer,
  refusalOfChat,
  compatibleError,
  type CompatibleError,
} from "../messages/chatErrors.js";
import {
  completionMessage,
  toCompletionRequest,
  completionAnswer,
  toCompletionAnswer,
  besidesText,
  toAnnotations,
  toUsage,
} from "../messages/completion.js";
import { compatibleBase } from "./notFunctional.js";
import { ReadModelUnavailable } from "../../shared/failures.js";

/** A model (spec: Model record). */
interface ModelAnswer {
  id: string;
  /** Epoch seconds; 0 where its server does not say. */
  created: number & tags.Type<"int64">;
  object: "model";
  owned_by: string;
  /** What people choose an agent by; models have none. Our own addition. */
  name?: string;
}

/** Answer of `GET /models`. */
interface ModelsAnswer {
  object: "list";
  data: ModelAnswer[];
}

const modelAnswer = answerMessage(json.schema<ModelAnswer>());
const modelsAnswer = answerMessage(json.schema<ModelsAnswer>());

/** A model as the product's own. */
const toModelAnswer = ({ id, created, name }: ModelRecord, productName: string): ModelAnswer => ({
  ...{ id, created, object: "model", owned_by: productName },
  ...(name !== undefined && { name }),
});

const tag = "Chat";
const access = "apiKey";
const envelopes = { sentence: compatibleErrorAnswer, invalid: compatibleValidationErrorAnswer };
const exampleModel = { id: "amber-extractive", created: 0, object: "model", owned_by: "amber" } as const;

const listModels = route({
  method: "GET",
  path: `${compatibleBase}/models`,
  access,
  async handle(context) {
    const { chat, productName } = context.services;
    const models = await chat.models(personOf(context));
    context.body = { object: "list", data: models.map((model) => toModelAnswer(model, productName)) };
  },
  description: {
    tag,
    summary: "List the models",
    description:
      "Those of all upstreams, the extractive model, and as `agent:{id}` the agents that the key's person may use. An upstream that is down keeps the models that it had.",
    success: { description: "All of them.", schema: modelsAnswer, example: { object: "list", data: [exampleModel] } },
    envelopes,
  },
});

const findModel = route({
  method: "GET",
  path: `${compatibleBase}/models/{model}`,
  access,
  params: [{ ...unchecked("model", "Id of a model; a slash in it may be percent-encoded or not.", {}), isRest: true }],
  async handle(context, { params: { model: id } }) {
    const { chat, productName } = context.services;
    const model = await chat.findModel(personOf(context), id);
    if (model === null) throw new RefusedRequest(refusalOfChat(modelNotFound(id)));
    context.body = toModelAnswer(model, productName);
  },
  description: {
    tag,
    summary: "Read a model's record",
    success: { description: "The record.", schema: modelAnswer, example: exampleModel },
    failures: { 404: "There is no such model for this person." },
    envelopes,
  },
});

/** An image of some 6 MB fits. */
const limits = { maxBytes: 8_388_608, mostValues: 65_536 };

const body = jsonBody(completionMessage, limits);

/** Counts an answer from before its question is read, until all of it was taken or the client is gone. */
const limitAnswers: ApiMiddleware = async (context, next) => {
  const giveBack = context.services.chatLimits.take(personOf(context));
  if (giveBack === null)
    throw new RefusedRequest(
      refusal(429, "Too many answers are under way. Nothing was done; ask again when one has ended.", {
        "Retry-After": "5",
      }),
    );
  try {
    await next();
  } finally {
    if (context.body instanceof Readable) context.body.once("close", giveBack);
    else giveBack();
  }
};

const complete = route({
  method: "POST",
  path: `${compatibleBase}/chat/completions`,
  access,
  body: { ...body, read: [limitAnswers, ...body.read] },
  isConsistent: true,
  async handle(context, { body: message }) {
    const { chat } = context.services;
    const asked = {
      ...toCompletionRequest(message),
      ...{ person: personOf(context), origin: publicOrigin(context), context: commandContextOf(context) },
      atLeast: context.state.atLeast,
    };
    const gone = clientGone(context);
    try {
      const answer = await chat.answer(asked, gone);
      if (message.stream === true) await stream(context, answer, message.stream_options?.include_usage === true, gone);
      else await answerWhole(context, answer);
    } catch (error) {
      // Nobody reads it; it is no failure of the service's.
      if (gone.aborted) throw new RefusedRequest(refusal(400, "The client left before the answer was there."));
      throw error instanceof ChatFailure ? new RefusedRequest(refusalOfChat(error)) : error;
    }
  },
  description: {
    tag,
    summary: "Ask a model",
    description:
      "The model may use the tools that are asked for, and no others; they run here, with the rights of the key's person, and their calls are not part of the answer. Sources are numbered `[n]` in the text. With `stream: true` the answer is chunks as server-sent events, closed by `[DONE]`; progress and keep-alives are comments, and a failure on the way is `{error}`. Keys that are not described are ignored. `X-Context-Truncated` tells how many messages did not fit, and `X-Tools-Left-Out` which tools a model that takes none was not offered.",
    example: {
      model: "amber-extractive",
      messages: [{ role: "user", content: "When do receipts have to be sent?" }],
      tools: [{ type: "function", function: { name: "internalSearch" } }],
      metadata: { language: "en" },
    },
    success: {
      description: "The answer.",
      schema: completionAnswer,
      also: { "text/event-stream": unnamed({ type: "string" }) },
      example: exampleAnswer(),
    },
    failures: {
      400: "The question alone is longer than the model takes, or the body was broken off.",
      404: "The person has no such model, agent or file.",
      409: "X-Consistency-Token names a write that the log does not hold.",
      502: "The model's server answered what is no answer.",
      504: "The model's server gave no answer in time.",
    },
    envelopes,
  },
});

/** The model list, a model, and answers (spec: Model-compatible endpoints). */
export const chatRoutes = [listModels, findModel, complete];

async function answerWhole(context: ApiContext, answer: Answer): Promise<void> {
  const citations = new Citations();
  let [content, refused] = ["", ""];
  for await (const event of answer.events) {
    if (event.kind === "text" || event.kind === "refusal") {
      content += event.text;
      refused += event.kind === "refusal" ? event.text : "";
      citations.add(event.text);
    } else if (event.kind === "end") {
      context.body = toCompletionAnswer(answer, { content, refusal: refused || null }, event, citations);
      tellWhatIsLeftOut(context, event);
    }
  }
}

/**
 * Waits for the first sign, so that what fails before it has a status of its own; or until nobody should wait longer.
 */
async function stream(context: ApiContext, answer: Answer, includeUsage: boolean, gone: AbortSignal): Promise<void> {
  const rest = answer.events[Symbol.asyncIterator]();
  const first = rest.next();
  await orNullAfter(keepAliveMs, first);
  tellWhatIsLeftOut(context, { droppedMessages: answer.droppedMessages(), toolsLeftOut: answer.toolsLeftOut() });
  context.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
  context.type = "text/event-stream";
  const frames = framesOf(answer, { includeUsage, first, rest, gone, keepAliveMs });
  context.body = Readable.from(frames, { highWaterMark: 1 });
}

function tellWhatIsLeftOut(
  context: ApiContext,
  { droppedMessages, toolsLeftOut }: Pick<AnswerEnd, "droppedMessages" | "toolsLeftOut">,
): void {
  if (droppedMessages > 0) context.set("X-Context-Truncated", String(droppedMessages));
  if (toolsLeftOut.length > 0) context.set("X-Tools-Left-Out", toolsLeftOut.join(", "));
}

function exampleAnswer(): object {
  const source = {
    ...{ id: "handbook__travel-2024.md", url: "https://handbook.example.org/travel" },
    ...{ title: "Travel expenses", snippet: "Send receipts within a month." },
  };
  const cited = { url: source.url, title: source.title, start_index: 32, end_index: 35 };
  return {
    ...{ id: "chatcmpl-3f2a9c0d7b6e4d1f8a5c", object: "chat.completion", created: 1_714_555_860 },
    model: "amber-extractive",
    choices: [
      {
        index: 0,
        message: {
          ...{ role: "assistant", content: '"Send receipts within a month." [1]', refusal: null },
          ...{ annotations: [{ type: "url_citation", url_citation: cited }], sources: [source] },
        },
        ...{ logprobs: null, finish_reason: "stop" },
      },
    ],
    usage: { prompt_tokens: 120, completion_tokens: 9, total_tokens: 129 },
    sources: [source],
    citations: [source.url],
    search_results: [{ title: source.title, url: source.url, snippet: source.snippet, date: "2024-05-01T09:30:00Z" }],
  };
}

/** After so much silence a comment tells everybody on the way that the connection is alive. */
const keepAliveMs = 15_000;

interface FrameOptions {
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
    const told = refusalOf(error);
    yield frame({ error: errorOf(told) });
    yield closing;
    // What nobody expected cuts the connection, and is in the log.
    if (told === null) throw error;
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
    else if (event.kind === "text" || event.kind === "refusal") {
      citations.add(event.text);
      const { text } = event;
      const delta = { ...role, content: text, ...(event.kind === "refusal" && { refusal: text }) };
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

/** What an expected failure is answered with; null: nobody expects it. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ChatFailure) return refusalOfChat(error);
  if (error instanceof RefusedRequest) return error.refusal;
  return error instanceof ReadModelUnavailable ? unavailable(error) : null;
}

/** The same where a part of the answer has left already. */
function errorOf(told: Refusal | null): CompatibleError {
  if (told === null) return compatibleError(500, "Something went wrong inside the service. It is safe to ask again.");
  const { detail, error } = told.body as { readonly detail: unknown; readonly error?: CompatibleError };
  return error ?? compatibleError(told.status, detail);
}
