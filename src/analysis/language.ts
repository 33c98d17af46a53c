/** The languages that texts are stemmed in. A text in any other one is folded only. */
export type Language = "de" | "en";
