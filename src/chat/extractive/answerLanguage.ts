import { analyseQuery } from "../../analysis/analyseQuery.js";
import type { Language } from "../../shared/language.js";

/** A question of fewer words shows no language surely. */
const fewestWords = 4;

/** The language in which a question is answered: its own, or the given one where it is short or shows none. */
export function answerLanguage(question: string, otherwise: Language): Language {
  const words = question.split(/\s+/).filter((word) => word !== "").length;
  return (words < fewestWords ? null : analyseQuery(question).language) ?? otherwise;
}
