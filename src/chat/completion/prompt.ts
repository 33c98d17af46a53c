import type { AnswerLanguage, ChatTurn } from "../chat.js";
import type { PromptMessage, PromptPart } from "../ports/modelUpstream.js";
import type { Fence } from "./fence.js";

/** Takes the place of an image that a model cannot see. */
const unseen = "(There is an image here, which you cannot see. Say so if it matters.)";

const languageRules: Readonly<Record<AnswerLanguage, string>> = {
  de: "Antworte in der Sprache der Frage; ist sie zu kurz, um eine zu zeigen, auf Deutsch.",
  en: "Answer in the language of the question; if it is too short to show one, in English.",
};

const citing =
  "Each text that a tool finds begins with a number in brackets. Where you rest on it, cite it by that number, " +
  "such as [1]. Say so if nothing that was found answers the question. Make no sources up.";

export interface PromptParts {
  readonly turns: readonly ChatTurn[];
  /** Of an agent; null: none. */
  readonly instructions: string | null;
  readonly language: AnswerLanguage;
  /** Whether texts are found, or come from files. */
  readonly readsTexts: boolean;
  readonly takesImages: boolean;
  /** What stands before the last question: files. */
  readonly attached: readonly PromptPart[];
  readonly fence: Fence;
}

/** The messages that a model is asked with first: one system text, and the conversation. */
export function promptOf(parts: PromptParts): readonly PromptMessage[] {
  const { turns, instructions, language, readsTexts, fence } = parts;
  const leading = turns.findIndex(({ role }) => role !== "system");
  const begin = leading === -1 ? turns.length : leading;
  const systemTexts = turns.slice(0, begin).map(textOf);
  const rules = readsTexts ? [citing, fence.explanation] : [];
  const system = [instructions, ...systemTexts, languageRules[language], ...rules].filter((text) => text !== null);
  return [{ role: "system", text: system.join("\n\n") }, ...conversation(turns.slice(begin), parts)];
}

function conversation(turns: readonly ChatTurn[], { attached, takesImages }: PromptParts): readonly PromptMessage[] {
  const question = turns.findLastIndex(({ role }) => role === "user");
  return turns.map((turn, at): PromptMessage => {
    if (turn.role === "system") return { role: "system", text: textOf(turn) };
    if (turn.role === "assistant") return { role: "assistant", text: textOf(turn), toolCalls: [] };
    const parts = at === question ? [...attached, ...turn.parts] : turn.parts;
    return { role: "user", parts: takesImages ? parts : parts.map(withoutImage) };
  });
}

const withoutImage = (part: PromptPart): PromptPart => (part.kind === "image" ? { kind: "text", text: unseen } : part);

/** The texts of a turn. */
export const textOf = ({ parts }: Pick<ChatTurn, "parts">): string =>
  parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** The last question of a conversation, which an answer answers. */
export const questionOf = (turns: readonly ChatTurn[]): string =>
  textOf(turns.findLast(({ role }) => role === "user") ?? { parts: [] });
