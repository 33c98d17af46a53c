import type { DomainEvent } from "../events/domainEvent.js";
import type { DatasourceName, DocumentId, Email } from "../shared/ids.js";
import type { PageToken } from "../shared/pageToken.js";
import type { DescribedMoment, DocumentReference, ExplainedFact, MissingFact, Moment } from "./auditFacts.js";

/** What lets a person see a document. */
export interface Via {
  /** What the document's access list names: everybody registered, the person, or a group. */
  grant: "anonymous" | "user" | "group";
  /** For a group: the groups from the named one down to the one that the person belongs to, by their names then. */
  groups: string[];
  /**
   * Only for everybody registered: no permissions were sent with the document, so its datasource's `default_access`
   * decided. What was pushed before that was recorded does not tell, and neither does a what-if.
   */
  by_default?: true;
}

/** The person or group that a grant names, or everybody registered. */
export type GrantTarget =
  | { readonly kind: "anonymous" }
  | { readonly kind: "user"; readonly email: Email }
  | { readonly kind: "group"; readonly name: string };

/** A question about more than one person or document, without its moment. */
export type HistoryQuestion =
  /** Everyone who could see the document. */
  | ({ readonly kind: "who" } & DocumentReference)
  /** Every document that the person could see. */
  | { readonly kind: "what"; readonly user: Email }
  /** The same by their ids: for searches, which show something else of them. */
  | { readonly kind: "visibleDocuments"; readonly user: Email }
  /** What happened to the access of a document, or to the permissions of a person or a group. */
  | ({ readonly kind: "documentTimeline" } & DocumentReference)
  | { readonly kind: "userTimeline"; readonly user: Email }
  | { readonly kind: "groupTimeline"; readonly datasource: DatasourceName; readonly group: string }
  /** When the person could see the document; when who could see it; when the person could see what. */
  | { readonly kind: "effective"; readonly document: DocumentReference | null; readonly user: Email | null }
  /**
   * Every link on the ways from the document to the person, and where there is none, what leads towards it from both
   * ends; of one alone, all that lead from it to groups.
   */
  | { readonly kind: "links"; readonly document: DocumentReference | null; readonly user: Email | null }
  /** Everybody who is in the group itself, or every document that names it. */
  | {
      readonly kind: "linksOfGroup";
      readonly datasource: DatasourceName;
      readonly group: string;
      readonly of: "people" | "documents";
    }
  /** What happened to any link that ever lay on such ways, the newest first. */
  | { readonly kind: "changes"; readonly document: DocumentReference | null; readonly user: Email | null }
  /** What the facts that an event opened, and nothing else, made visible. */
  | { readonly kind: "exposureOfEvent"; readonly event: number }
  /** The same for one grant: one that held at the question's moment, or was the last before it. */
  | ({ readonly kind: "exposureOfGrant"; readonly target: GrantTarget } & DocumentReference)
  | DifferenceQuestion;

/** How many changes are counted: a total of this size says that there are at least as many. */
export const largestTotal = 100_000;

/** Asks which people would gain or lose sight of which documents if these events were the next in the log. */
export interface DifferenceQuestion {
  readonly kind: "difference";
  readonly change: "gains" | "losses";
  readonly events: readonly DomainEvent[];
}

/** A person who could see a document. */
export interface WhoItem {
  user_email: string;
  via: Via;
}

/** A person who would see a document, or would not any more, and through what: afterwards, or now. */
export interface ChangedItem extends WhoItem {
  /** `{datasource}/{id}`. */
  document: string;
}

/** A document that a person could see: `{datasource}/{id}`. */
export interface WhatItem {
  document: string;
  via: Via;
}

/** An interval during which a person could see a document. */
export interface VisibleItem {
  user_email: string;
  document: string;
  /** Position of the event from which on it was so. */
  from: string;
  from_time: string;
  /** Position of the event that ended it; null where nothing has. */
  until: string | null;
  until_time: string | null;
  /** The same as in {@link Via}, at the beginning of the interval. */
  by_default?: true;
}

/** An end of a {@link LinkItem}. */
export interface Place {
  kind: "document" | "everybody" | "group" | "person";
  /** `{datasource}/{id}`, a datasource whose registered people are everybody, `{datasource}/{name}`, or an email. */
  name: string;
  /** How many people are in it, not counting groups below. Only of a document alone. */
  people?: number;
  /** How many documents grant it something. Only of a person alone. */
  documents?: number;
  /** It is named, and not there: a group that nobody has made, a person who is not registered. */
  absent?: true;
}

/** One link between a document and a person, and the event that made it. */
export interface LinkItem extends ExplainedFact {
  link: "grant" | "nesting" | "membership" | "registration";
  /** The end that is nearer to the document. */
  from: Place;
  to: Place;
}

/** Why there is nothing at all. */
export interface NothingFound {
  kind: MissingFact["kind"] | "nothing_opened";
  /** One sentence. */
  detail: string;
}

/** The answer to a question, before it is cut into pages. */
export interface HistoryAnswer<Item extends object = object> {
  /** null where nothing was found, but time has passed: a place to stop for a while. */
  readonly items: Iterable<Item | null>;
  /** How many items there are, where that is known without making them all. */
  readonly total?: number;
  readonly missing?: NothingFound;
  /** For an exposure: the fact that it is about. */
  readonly about?: ExplainedFact;
}

/** A page of an answer about more than one person or document. */
export interface AskHistory {
  readonly question: HistoryQuestion;
  readonly at: Moment;
  /**
   * Where the previous page ended; null for the first. It counts instead of `at`: all pages are as of the first one's
   * moment.
   */
  readonly next: PageToken | null;
  /** Items on a page, at most. */
  readonly count: number;
}

/** One page, as it leaves the service. */
export interface HistoryAnswerPage<Item extends object = object> extends DescribedMoment {
  items: Item[];
  /** How many items all pages have; left out where that would take making them. */
  total?: number;
  missing?: NothingFound;
  /** For an exposure: the fact that it is about. */
  about?: ExplainedFact;
  /**
   * Sent back, it brings the next page; missing on the last. A page may hold fewer items than asked for, even none, and
   * go on.
   */
  next?: string;
}

/** Answers of `GET /api/audit/who`, `what`, `history`, the last also with `effective`, and `exposure`. */
export interface WhoAnswer extends HistoryAnswerPage<WhoItem> {
  total: number;
}
export interface WhatAnswer extends HistoryAnswerPage<WhatItem> {
  total: number;
}
export interface TimelineAnswer extends HistoryAnswerPage<ExplainedFact> {
  /** Tells this answer from the other one of the same route. */
  kind: "timeline";
}
export interface VisibilityAnswer extends HistoryAnswerPage<VisibleItem> {
  /** Tells this answer from the other one of the same route. */
  kind: "visibility";
}

/** Answers of `GET /api/audit/links` and `changes`. */
export type LinksAnswer = HistoryAnswerPage<LinkItem>;
export type ChangesAnswer = HistoryAnswerPage<ExplainedFact>;

/** The whole of a document's name, as people write it. */
export const documentName = (datasource: DatasourceName, documentId: DocumentId): string =>
  `${datasource}/${documentId}`;
