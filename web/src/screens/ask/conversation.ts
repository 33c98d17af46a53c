import { effect, signal } from "@preact/signals";
import { headersOf, noticeAnswer, sentenceOf, type Schemas } from "../../api/client.js";
import { session } from "../../session.js";
import { language } from "../../words.js";
import { detach, files, readyFiles } from "./files.js";
import { eventsOf } from "./sse.js";

const path = "/api/beta/amberai/chat/completions";

/** A source of an answer, as the API tells it. */
export type Source = Schemas["SourceAnswer"];

/** Where a search of the web may look; empty: as the service is set. */
export const webModes = ["", "search", "context", "thirdparty"] as const;
/** One of {@link webModes}. */
export type WebMode = (typeof webModes)[number];

/** A question with its answer. */
export interface Turn {
  readonly number: number;
  readonly question: string;
  /** What the files are called that were given with it. */
  readonly files: readonly string[];
  readonly text: string;
  readonly sources: readonly Source[];
  /** Whether tools were chosen that the model takes none of. */
  readonly isUnsearched: boolean;
  readonly state: "answering" | "done" | "stopped" | "failed";
  /** What is done meanwhile. */
  readonly note: string | null;
  /** Why there is no answer. */
  readonly fault: string | null;
}

/** The conversation, in the memory of this page alone. */
export const turns = signal<readonly Turn[]>([]);

/** Who answers, and by what means; kept from question to question. */
export const choices = signal<{
  readonly model: string;
  readonly internalSearch: boolean;
  readonly webSearch: boolean;
  readonly webMode: WebMode;
}>({ model: "", internalSearch: true, webSearch: false, webMode: "" });

let answering: AbortController | null = null;

/** Whether an agent was chosen, which brings tools of its own. */
export const isAgent = (model: string): boolean => model.startsWith("agent:");

/** Forgets the conversation, and erases the files that were uploaded for it. */
export function beginAnew(): void {
  stop();
  turns.value = [];
  for (const file of files.value) void detach(file);
}

/** Whoever signs in on the same page after somebody else reads nothing of theirs. */
effect(() => {
  if (session.value !== null) return;
  stop();
  turns.value = [];
  files.value = [];
});

/** Ends the answer that is under way; what has come of it stays. */
export const stop = (): void => answering?.abort();

/** Asks something, after all that was said before. */
export function ask(question: string): Promise<void> {
  const number = (turns.value.at(-1)?.number ?? 0) + 1;
  const names = readyFiles().map(({ name }) => name);
  turns.value = [...turns.value, { ...unanswered, number, question, files: names }];
  return answer(number);
}

/** Asks a question again that was not answered. */
export function retry(number: number): Promise<void> {
  change(number, () => unanswered);
  return answer(number);
}

const unanswered = { text: "", sources: [], isUnsearched: false, state: "answering", note: null, fault: null } as const;

function change(number: number, how: (turn: Turn) => Partial<Turn>): void {
  turns.value = turns.value.map((turn) => (turn.number === number ? { ...turn, ...how(turn) } : turn));
}

/** Ends a stream of chunks. */
const closing = "[DONE]";
/** A comment that says nothing. */
const keepAlive = "keep-alive";

async function answer(number: number): Promise<void> {
  const own = new AbortController();
  answering = own;
  try {
    const fault = await follow(number, own.signal);
    change(number, () => (fault === null ? { state: "done", note: null } : { state: "failed", note: null, fault }));
  } catch {
    const failed = { state: "failed", fault: sentenceOf(null) } as const;
    change(number, () => ({ note: null, ...(own.signal.aborted ? { state: "stopped" as const } : failed) }));
  } finally {
    if (answering === own) answering = null;
  }
}

/** Takes the answer as it comes. Returns a sentence where it failed. */
async function follow(number: number, left: AbortSignal): Promise<string | null> {
  const answered = await fetch(path, {
    method: "POST",
    headers: { ...headersOf("POST"), "Content-Type": "application/json" },
    body: JSON.stringify(requestFor(number)),
    signal: left,
  });
  noticeAnswer("POST", path, answered);
  if (!answered.ok || answered.body === null) return sentenceOf(await answered.json().catch(() => null));
  for await (const { kind, text } of eventsOf(answered.body)) {
    if (text === closing) return null;
    const fault = kind === "comment" ? takeNote(number, text) : takeChunk(number, JSON.parse(text) as Chunk);
    if (fault !== null) return fault;
  }
  return sentenceOf(null);
}

function takeNote(number: number, note: string): null {
  if (note !== keepAlive) change(number, () => ({ note }));
  return null;
}

/** Returns what went wrong, where the chunk says so. */
function takeChunk(number: number, chunk: Chunk): string | null {
  const { error, choices: [choice] = [], sources, tools_left_out: leftOut } = chunk;
  if (error !== undefined) return error.message;
  const said = choice?.delta?.content ?? "";
  if (said !== "") change(number, ({ text }) => ({ text: text + said, note: null }));
  if (sources !== undefined) change(number, () => ({ sources }));
  if (leftOut !== undefined) change(number, () => ({ isUnsearched: true }));
  return null;
}

interface Chunk {
  readonly error?: { readonly message: string };
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly sources?: readonly Source[];
  readonly tools_left_out?: Schemas["ToolsLeftOut"];
}

function requestFor(number: number): object {
  const { model, internalSearch, webSearch, webMode } = choices.value;
  const tools = [...(internalSearch ? ["internalSearch"] : []), ...(webSearch ? ["webSearch"] : [])];
  const said = turns.value.filter((turn) => turn.number === number || turn.text !== "");
  return {
    ...(model !== "" && { model }),
    stream: true,
    messages: said.flatMap((turn) => [
      { role: "user", content: turn.question },
      ...(turn.number === number ? [] : [{ role: "assistant", content: turn.text }]),
    ]),
    ...(!isAgent(model) && { tools: tools.map((name) => ({ type: "function", function: { name } })) }),
    metadata: {
      language: language.value,
      files: readyFiles().map(({ id }) => id),
      ...(webSearch && webMode !== "" && { web_search_mode: webMode }),
    },
  };
}
