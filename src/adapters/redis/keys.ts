/**
 * The keys of a namespace. The braces make a Redis Cluster keep all of them in one slot, so that one script or
 * transaction may touch any of them.
 */
export const keyOf = (namespace: string, ...parts: readonly string[]): string => [`{${namespace}}`, ...parts].join(":");

/** Says whose the namespace is, in which format, and where each read model stands. */
export const stateKey = (namespace: string): string => keyOf(namespace, "state");
/** Tells of every commit. */
export const changesChannel = (namespace: string): string => keyOf(namespace, "changes");
