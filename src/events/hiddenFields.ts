/**
 * What events hold of secrets. It is hashed, and yet nobody who reads events is shown it: a hash is what a stolen secret
 * or a guessed password could be tried on.
 */
const hiddenFields: ReadonlySet<string> = new Set(["secretSha256", "passwordHash"]);

/** An event's data as they may be shown. */
export const shownFields = (data: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(data).filter(([field]) => !hiddenFields.has(field)));
