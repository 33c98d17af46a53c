import { readModelNames, type ReadModelName } from "../events/projection.js";

/**
 * The read models that answers rest on, for whoever waits beforehand until these have come as far as the log. Nobody
 * waits for more than that: a search index may take minutes where the others take a moment.
 */
export const answersRestOn = {
  credentials: ["credentials"],
  past: ["permissionHistory"],
  /** Who may see a document: of the past, and about now held against what is served. */
  access: ["permissionHistory", "groupClosure", "catalogue", "search"],
  everything: readModelNames,
} as const satisfies Readonly<Record<string, readonly ReadModelName[]>>;
