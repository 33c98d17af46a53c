/**
 * The keys of a namespace. The braces make a Redis Cluster keep all of them in one slot, so one script or transaction
 * may touch any of them.
 */
export const keyOf = (namespace: string, ...parts: readonly string[]): string => [`{${namespace}}`, ...parts].join(":");

/** Holds whose the namespace is, in which format, and how far each read model has come. */
export const stateKey = (namespace: string): string => keyOf(namespace, "state");
/** Announces every commit. */
export const changesChannel = (namespace: string): string => keyOf(namespace, "changes");
