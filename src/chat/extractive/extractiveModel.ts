import type { AnswerEvent, CompletionRequest, Source } from "../chat.js";
import { ChatFailure } from "../chatFailure.js";
import type { Attached } from "../completion/attachments.js";
import type { Answering } from "../completion/modelAnswer.js";
import { questionOf } from "../completion/prompt.js";
import { snippetOf } from "../completion/sourceList.js";
import { estimateTokens } from "../completion/tokens.js";
import type { ToolName } from "../../events/agent.js";
import { longestQuery, type Finding, type SearchOutcome, type Searches } from "../tools/searches.js";
import { asksNothing, extractiveAnswer, type CitedEvidence } from "./extractiveAnswer.js";

/** How much each search may bring. */
const findingsOfEach = 10;

export interface AskedOfExtractive {
  readonly request: CompletionRequest;
  readonly searches: Searches;
  readonly attached: readonly Attached[];
}

/** An answer without a model: what the request's searches and files say about its question, quoted. */
export const extractiveModelAnswer = (asked: AskedOfExtractive, signal: AbortSignal): Answering => ({
  events: quote(asked, signal),
  droppedMessages: () => 0,
});

async function* quote(
  { request: { turns, language }, searches, attached }: AskedOfExtractive,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, void> {
  const question = questionOf(turns);
  // No query leaves for an answer that would not rest on what it finds.
  const found = asksNothing(question) ? [] : await search(searches, question, signal);
  const evidence = [...attached.flatMap(({ findings }) => findings), ...found];
  const hasSources = Object.keys(searches).length > 0 || attached.length > 0;
  const { pieces, cited } = await extractiveAnswer({ question, language, evidence, hasSources }, signal);
  let completionTokens = 0;
  for (const text of pieces) {
    completionTokens += estimateTokens(text);
    yield { kind: "text", text };
  }
  const promptTokens = evidence.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(question));
  const usage = { promptTokens, completionTokens };
  yield { kind: "end", finishReason: "stop", usage, sources: cited.map(sourceOf), droppedMessages: 0 };
}

/** All of them side by side: each is asked the question, and nothing that another found. */
async function search(searches: Searches, question: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const outcomes = await Promise.all(
    (Object.keys(searches) as ToolName[]).map((name) =>
      searches[name]?.(question.slice(0, longestQuery[name]), findingsOfEach, signal),
    ),
  );
  const found = outcomes.flatMap((outcome: SearchOutcome = []) => (typeof outcome === "string" ? [] : outcome));
  const trouble = outcomes.find((outcome) => typeof outcome === "string");
  if (found.length === 0 && trouble !== undefined)
    throw new ChatFailure({ status: 503, code: "search_unavailable", message: trouble });
  return found;
}

const sourceOf = ({ evidence: { id, url, title, date }, passage }: CitedEvidence): Source => ({
  ...{ id, url: url ?? "", title, snippet: snippetOf(passage), date },
});
