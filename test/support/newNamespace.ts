import { randomUUID } from "node:crypto";

/** A namespace that no other test or run uses, so that what is left on a server matters to nobody. */
export const newNamespace = (): string => `test-${randomUUID()}`;
