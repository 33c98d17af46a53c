/** The languages that texts are analysed in, and readers have. A text in any other one is found by its words as written. */
export const languages = ["de", "en"] as const;
export type Language = (typeof languages)[number];
