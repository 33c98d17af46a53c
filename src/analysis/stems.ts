import { stemmer as stemGerman } from "@orama/stemmers/german";
import snowball from "snowball-stemmers";
import type { Language } from "./language.js";

const english = snowball.newStemmer("english");

/** Snowball stem of a folded word. */
export const stem = (word: string, language: Language): string => (language === "de" ? stemGerman(word) : english.stem(word));
