import type { DatasourceId } from "../../../shared/ids.js";
import { keyOf } from "../../redis/keys.js";

/**
 * The keys of the rows. Each time an emptied Redis is filled, that is a store of its own, with its own id in its keys.
 * So rows that are left of an earlier store are never taken for this one's.
 */
export class RowKeys {
  /** Hash: datasource -> access and anonymous token. */
  readonly datasources: string;
  /** Stream: which groups and people each of the last commits changed. */
  readonly journal: string;
  /** Hash: datasource -> JSON. */
  readonly catalogue: string;
  /** Hash: id -> JSON. */
  readonly credentials: string;
  /** List of ids, the oldest first. */
  readonly credentialOrder: string;
  /** Hash: id -> ISO instant. */
  readonly revocations: string;
  /** Hash: id -> JSON. Limits that have been bound since the account was made. */
  readonly limits: string;
  /** Set of datasources. */
  readonly closedIncarnations: string;

  constructor(
    private readonly namespace: string,
    readonly store: string,
  ) {
    this.datasources = this.key("datasources");
    this.journal = this.key("journal");
    this.catalogue = this.key("catalogue");
    this.credentials = this.key("credentials");
    this.credentialOrder = this.key("credentialOrder");
    this.revocations = this.key("revocations");
    this.limits = this.key("limits");
    this.closedIncarnations = this.key("closedGenerations");
  }

  /** Hash: index -> packed row. One key per datasource, so that a deleted one goes in one step, whatever its size. */
  groups(datasource: DatasourceId): string {
    return this.key("groups", datasource);
  }

  /** Hash: token -> index of the group that has it now. */
  tokens(datasource: DatasourceId): string {
    return this.key("tokens", datasource);
  }

  /** Hash: email -> packed row. */
  people(datasource: DatasourceId): string {
    return this.key("people", datasource);
  }

  /** Hash: position -> JSON. */
  parked(projection: string): string {
    return this.key("parked", projection);
  }

  private key(...parts: readonly string[]): string {
    return keyOf(this.namespace, "rows", this.store, ...parts);
  }
}
