import { stemmer as german } from "@orama/stemmers/german";
import { stem as english } from "porter2";
import type { Language } from "../shared/language.js";

const stemmers: Readonly<Record<Language, (word: string) => string>> = { de: german, en: english };

/** The Snowball stem of a folded word of plain letters. */
export const stem = (word: string, language: Language): string => stemmers[language](word);
