import { match } from "ts-pattern";
import type { DatasourceId, PrincipalToken } from "../../../shared/ids.js";
import { keyOf } from "../../redis/redisConnection.js";
import type { DatasourceAccess, GroupClosureBatch } from "../../../../projections/groupClosure/ports.js";

/** The read models that requests are answered from. */
export const servedReadModelNames = ["groupClosure", "catalogue", "credentials"] as const;

export type ServedReadModelName = (typeof servedReadModelNames)[number];

/** The projections that write to Redis, as fields of the state. */
export const projectionNames = [...servedReadModelNames, "contentErasure"] as const;

export type StoredProjectionName = (typeof projectionNames)[number];

/**
 * The field of the state that says how far a read model has come, and what its keys begin with. Keys that an older
 * program wrote of credentials know nothing of accounts and sessions: they are left alone, for programs of that age
 * that still run, and everything is projected afresh.
 */
export const stateField = (projection: string): string =>
  projection === "credentials" ? "credentialsAndAccounts" : projection;

/** The second word of the keys of rows, after the store. Keys that an older program wrote are among them. */
export const partsOfReadModels = {
  groupClosure: ["datasources", "journal", "groups", "tokens", "people"],
  catalogue: ["catalogue"],
  credentials: [stateField("credentials"), "credentials", "credentialOrder", "revocations", "limits"],
} as const satisfies Readonly<Record<ServedReadModelName, readonly string[]>>;

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
  /** Hash: id -> ISO instant of the newest use that was noted. */
  readonly uses: string;
  /** Hash: id -> JSON. The secret that came of a rotation, and the one before. */
  readonly rotations: string;
  /** Hash: email -> JSON. */
  readonly accounts: string;
  /** List of emails, the oldest first. */
  readonly accountOrder: string;
  /** Hash: what is kept of an account, and its email -> a value, which is empty where there is nothing to say. */
  readonly accountFacts: string;
  /** Hash: email -> ISO instant. */
  readonly signIns: string;
  /** Hash: id -> JSON. */
  readonly sessions: string;
  /** List of ids, the oldest first. */
  readonly sessionOrder: string;
  /** Hash: what is kept of a session, and its id -> ISO instant. */
  readonly sessionFacts: string;
  /** Sorted set of ids: milliseconds of their expiries; 0 where they have ended. */
  readonly sessionExpiries: string;
  /** Set of datasources. */
  readonly closedIncarnations: string;

  constructor(
    private readonly namespace: string,
    readonly store: string,
  ) {
    this.datasources = this.key("datasources");
    this.journal = this.key("journal");
    this.catalogue = this.key("catalogue");
    this.credentials = this.credentialKey("credentials");
    this.credentialOrder = this.credentialKey("order");
    this.revocations = this.credentialKey("revocations");
    this.limits = this.credentialKey("limits");
    this.uses = this.credentialKey("uses");
    this.rotations = this.credentialKey("rotations");
    this.accounts = this.credentialKey("accounts");
    this.accountOrder = this.credentialKey("accountOrder");
    this.accountFacts = this.credentialKey("accountFacts");
    this.signIns = this.credentialKey("signIns");
    this.sessions = this.credentialKey("sessions");
    this.sessionOrder = this.credentialKey("sessionOrder");
    this.sessionFacts = this.credentialKey("sessionFacts");
    this.sessionExpiries = this.credentialKey("sessionExpiries");
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
    return this.key("parked", stateField(projection));
  }

  /** All that a projection has written, where there are these datasources. */
  writtenBy(projection: StoredProjectionName, datasources: readonly DatasourceId[]): readonly string[] {
    return match(projection)
      .returnType<readonly string[]>()
      .with("groupClosure", () => [
        this.datasources,
        this.journal,
        ...datasources.flatMap((id) => [this.groups(id), this.tokens(id), this.people(id)]),
      ])
      .with("catalogue", () => [this.catalogue])
      .with("credentials", () => {
        const { credentials, credentialOrder, revocations, limits, uses, rotations } = this;
        const { accounts, accountOrder, accountFacts, signIns } = this;
        const { sessions, sessionOrder, sessionFacts, sessionExpiries } = this;
        return [
          ...[credentials, credentialOrder, revocations, limits, uses, rotations],
          ...[accounts, accountOrder, accountFacts, signIns, sessions, sessionOrder, sessionFacts, sessionExpiries],
        ];
      })
      .with("contentErasure", () => [this.closedIncarnations])
      .exhaustive();
  }

  private credentialKey(part: string): string {
    return this.key(stateField("credentials"), part);
  }

  private key(...parts: readonly string[]): string {
    return keyOf(this.namespace, "rows", this.store, ...parts);
  }
}

/** How access to a datasource is answered, as stored: `{access} {anonymous token}`. */
export const textOfDatasource = ({ access, anonymousToken }: GroupClosureBatch["datasources"][number]): string =>
  `${access} ${anonymousToken}`;

/** What {@link textOfDatasource} wrote. */
export function parseDatasource(text: string): { readonly access: DatasourceAccess; readonly token: PrincipalToken } {
  const at = text.indexOf(" ");
  return { access: text.slice(0, at) as DatasourceAccess, token: text.slice(at + 1) as PrincipalToken };
}
