/** The languages that texts are stemmed in. A text in any other one is folded only. */
export const languages = ["de", "en"] as const;
export type Language = (typeof languages)[number];
