import type { DatasourceId, DatasourceName } from "./ids.js";

/** One of the datasources that a service account is limited to. */
export interface DatasourceLimit {
  readonly name: DatasourceName;
  /**
   * The incarnation that it opens, and no later one of this name. null: none of the name was there yet; the account's
   * first request after there is one binds it.
   */
  readonly datasourceId: DatasourceId | null;
}

/** The limits of an account; null: none. */
export type DatasourceLimits = readonly DatasourceLimit[] | null;

/** Whether the limits open this incarnation of a name. `undefined`: it is not known yet which one is meant. */
export const opens = (limits: DatasourceLimits, name: DatasourceName, datasourceId?: DatasourceId | null): boolean =>
  limits === null || limits.some((limit) => limit.name === name && isOf(limit.datasourceId, datasourceId));

/** A limit that is bound opens no name that nobody bears: the next who registers it begins another incarnation. */
const isOf = (bound: DatasourceId | null, found: DatasourceId | null | undefined): boolean =>
  found === undefined || bound === null || bound === found;

/** Limits that name a datasource alone, as accounts and rows had them before incarnations counted. */
export const limitsByName = (stored: readonly (DatasourceName | DatasourceLimit)[]): readonly DatasourceLimit[] =>
  stored.map((limit) => (typeof limit === "string" ? { name: limit, datasourceId: null } : limit));
