const unstorable = /[\0\p{Surrogate}]/u;

/** Whether a text holds NUL characters or unpaired surrogates, which no store keeps as they are. */
export const isUnstorable = (text: string): boolean => unstorable.test(text);
