import type { Datasource } from "../src/events/datasource.js";
import type { CredentialRecord } from "../src/readModels/credentials.js";
import type { DocumentDetails, SearchFileType, SearchPage } from "../src/readModels/search.js";
import type { DatasourceName, DocumentId, Email } from "../src/shared/ids.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";

/** Why a question has no answer: expected. One table in `src/http` turns each into status and body. */
export type QueryFailure =
  | { readonly type: "DatasourceNotFound"; readonly datasource: string }
  /** Absent from the index, or not visible to the person: the same answer on purpose. */
  | { readonly type: "DocumentNotFound"; readonly id: string }
  /** An unknown value of the `data_source` filter. */
  | { readonly type: "UnknownDatasourceFilter"; readonly value: string }
  /** The read model did not reach the consistency token in time; retry. */
  | { readonly type: "NotYetConsistent"; readonly waitedMs: number }
  /** The group closure of this datasource is parked: access fails closed. */
  | { readonly type: "AccessUnavailable"; readonly datasource: string }
  /** It is no read model that people are answered from: there is nothing to compare. */
  | { readonly type: "NotComparable"; readonly projection: string }
  /** There is no such version, or none any more. */
  | { readonly type: "VersionNotFound"; readonly projection: string; readonly version: number }
  /** It was served before and is kept: nothing is projected into it, so it cannot be held against the log. */
  | { readonly type: "VersionStandsStill"; readonly projection: string; readonly version: number }
  | { readonly type: "ParkedEventNotFound"; readonly projection: string; readonly position: string }
  /** The read model does not come as far as the log; it is paused, or waits for its engine. */
  | { readonly type: "ReadModelBehind"; readonly projection: string }
  /**
   * An event that an answer about the past rests on is parked; null: it is not known of which datasource. Nothing is
   * left out in silence.
   */
  | { readonly type: "HistoryParked"; readonly datasource: string | null }
  /** The permission history did not reach the moment of a question in time; retry. */
  | { readonly type: "HistoryBehind"; readonly waitedMs: number }
  /** A question about the past that names a time, or a position, that has not come yet. */
  | { readonly type: "MomentInFuture"; readonly parameter: string }
  /** An export that ends before it begins. */
  | { readonly type: "ExportRangeReversed" };

export type QueryResult<Value> = Promise<Result<Value, QueryFailure>>;

export interface Consistency {
  /** At least this position must be served; null: whatever is projected. */
  readonly atLeast: Position | null;
}

export interface Search extends Consistency {
  readonly person: Email;
  readonly query: string;
  readonly count: number;
  readonly startPage: number;
  /** Raw values of the filter; null: not given. */
  readonly datasources: readonly string[] | null;
  readonly fileTypes: readonly SearchFileType[] | null;
  /** Epoch milliseconds. */
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
}

export interface FindDocument extends Consistency {
  readonly person: Email;
  readonly id: string;
  readonly includeText: boolean;
}

export interface FoundDocument {
  readonly details: DocumentDetails;
  /** null where it was not asked for. */
  readonly text: string | null;
}

export interface CheckAccess extends Consistency {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly email: Email;
}

/** Everything that can be asked of the read side. One file per question; this is the registry's shape. */
export interface Queries {
  search(question: Search): QueryResult<SearchPage>;
  findDocument(question: FindDocument): QueryResult<FoundDocument>;
  checkAccess(question: CheckAccess): QueryResult<{ readonly hasAccess: boolean }>;
  findDatasource(question: { readonly name: DatasourceName } & Consistency): QueryResult<Datasource>;
  listDatasources(question: Consistency): QueryResult<readonly Datasource[]>;
  listCredentials(
    question: { readonly kind: CredentialRecord["kind"] } & Consistency,
  ): QueryResult<readonly CredentialRecord[]>;
  /**
   * The credential that this header value proves, or null: malformed, unknown, wrong secret, expired, revoked.
   * Constant-time in the secret.
   */
  authenticate(credential: string, now: Date): Promise<CredentialRecord | null>;
}
