export type { Language } from "../shared/language.js";
