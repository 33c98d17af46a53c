const unstorable = /[\0\p{Surrogate}]/u;

/** What is wrong with a text that {@link isUnstorable}, as a clause. */
export const notStorable = "text may not hold NUL characters or unpaired surrogates";

/** Whether a text holds NUL characters or unpaired surrogates, which no store keeps as they are. */
export const isUnstorable = (text: string): boolean => unstorable.test(text);
