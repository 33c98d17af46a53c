import { readModelNames, type ReadModelName } from "../events/projection.js";

/**
 * The read models that answers rest on, for a caller that waits beforehand until these have come as far as the log. No
 * caller waits for more read models than that: a search index may take minutes where the others take a moment.
 */
export const answersRestOn = {
  credentials: ["credentials"],
  past: ["permissionHistory"],
  /** Answers on who may see a document: for the past, and for now compared with what is served. */
  access: ["permissionHistory", "groupClosure", "catalogue", "search"],
  everything: readModelNames,
} as const satisfies Readonly<Record<string, readonly ReadModelName[]>>;
