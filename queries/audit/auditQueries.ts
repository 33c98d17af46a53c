import type { DatasourceName, DocumentId, Email } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { QueryResult } from "../queries.js";

/** As of when a question is asked: now, a time in epoch milliseconds, or the position that a consistency token names. */
export type Moment = { readonly kind: "now" } | { readonly kind: "time"; readonly time: number } | { readonly kind: "position"; readonly position: Position };

/** One document, as people write it: `{datasource}/{id}`. */
export interface DocumentReference {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/** May this person see this document, and why? */
export interface AskAccess extends DocumentReference {
  readonly user: Email;
  readonly at: Moment;
}

/** Something that was so, and the event that made it so. */
export interface ExplainedFact {
  /** A sentence without a full stop. */
  fact: string;
  /** The event's type. */
  event: string;
  stream: string;
  revision: number;
  /** A whole number. */
  position: string;
  /** ISO instant at which it was decided. */
  time: string;
  /** The credential that asked for it; `operator` for the command line. */
  by: string;
}

/** What stands between a person and a document. */
export interface MissingFact {
  kind:
    | "datasource_absent"
    | "document_absent"
    | "not_registered"
    | "no_grant"
    | "group_absent"
    | "not_a_member"
    /** It is granted, and not served yet. */
    | "being_projected"
    /** It is granted, and not served before an operator has dealt with an event that could not be applied. */
    | "parked"
    /** It is granted, and what is served says otherwise: `projections verify` tells more. */
    | "served_differently";
  /** One sentence. */
  detail: string;
  /** The event that ended what once was. */
  ended?: ExplainedFact;
}

/** A request of the Indexing API. */
export interface ChangeRequest {
  method: "POST";
  path: string;
  body: object;
}

/** The answer to {@link AskAccess}, as it leaves the service. */
export interface AccessAnswer {
  has_access: boolean;
  /** ISO instant; null for a position before the first event. */
  at: string | null;
  /** Of the last event that counts. */
  position: string;
  /** What makes it so, from the document to the person: with these facts alone the answer is the same. Empty for a no. */
  explanation: ExplainedFact[];
  /** For a no: what fails first. */
  missing?: MissingFact;
  /** For a no: the fewest requests of the Indexing API that would have made it a yes. A document's text is left out. */
  smallest_change?: ChangeRequest[];
}

/** A request of the Indexing API that is to be tried, and whatever is said in it. */
export interface TriedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What became of a request that was tried. */
export interface TriedOutcome {
  method: string;
  path: string;
  /** The status that the API would answer with. */
  status: number;
  /** What its answer would say; null where that is nothing but that it is done. */
  detail: string | null;
}

/** Everything that can be asked about the past. One file per question; this is the registry's shape. */
export interface AuditQueries {
  access(question: AskAccess): QueryResult<AccessAnswer>;
}
