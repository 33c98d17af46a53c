import { Readable } from "node:stream";
import { clientGone, commandContextOf, personOf, type ApiContext, type ApiMiddleware } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { refusal } from "../../http/envelopes.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { publicOrigin } from "../../http/publicOrigin.js";
import { route } from "../../http/route.js";
import { unchecked } from "../../http/routes/descriptions.js";
import { unnamed } from "../../http/validation/message.js";
import { orNullAfter } from "../../shared/orNullAfter.js";
import type { Answer } from "../chat.js";
import { ChatFailure, modelNotFound } from "../chatFailure.js";
import { Citations } from "../completion/citations.js";
import { compatibleErrorAnswer, compatibleValidationErrorAnswer, refusalOfChat } from "../messages/chatErrors.js";
import { completionMessage, toCompletionRequest } from "../messages/completion.js";
import { completionAnswer, toCompletionAnswer } from "../messages/completionAnswer.js";
import { modelAnswer, modelsAnswer, toModelAnswer } from "../messages/models.js";
import { framesOf, keepAliveMs } from "./frames.js";
import { compatibleBase } from "./notFunctional.js";

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
const limits = { maxBytes: 8_388_608 };
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
  async handle(context, { body: message }) {
    const { chat } = context.services;
    const asked = {
      ...toCompletionRequest(message),
      ...{ person: personOf(context), origin: publicOrigin(context), context: commandContextOf(context) },
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
      "The model may use the tools that are asked for, and no others; they run here, with the rights of the key's person, and their calls are not part of the answer. Sources are numbered `[n]` in the text. With `stream: true` the answer is chunks as server-sent events, closed by `[DONE]`; progress and keep-alives are comments, and a failure on the way is `{error}`. Keys that are not described are ignored. `X-Context-Truncated` tells how many messages did not fit.",
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
  let content = "";
  for await (const event of answer.events) {
    if (event.kind === "text") {
      content += event.text;
      citations.add(event.text);
    } else if (event.kind === "end") {
      context.body = toCompletionAnswer(answer, content, event, citations);
      tellTruncation(context, event.droppedMessages);
    }
  }
}

/** Waits for the first sign, so that what fails before it has a status of its own; or until nobody should wait longer. */
async function stream(context: ApiContext, answer: Answer, includeUsage: boolean, gone: AbortSignal): Promise<void> {
  const rest = answer.events[Symbol.asyncIterator]();
  const first = rest.next();
  await orNullAfter(keepAliveMs, first);
  tellTruncation(context, answer.droppedMessages());
  context.set({ "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
  context.type = "text/event-stream";
  const frames = framesOf(answer, { includeUsage, first, rest, gone, keepAliveMs });
  context.body = Readable.from(frames, { highWaterMark: 1 });
}

function tellTruncation(context: ApiContext, dropped: number): void {
  if (dropped > 0) context.set("X-Context-Truncated", String(dropped));
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
