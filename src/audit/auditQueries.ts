import type { Email } from "../shared/ids.js";
import type { SearchPage } from "../readModels/search.js";
import type { QueryResult, Search } from "../../queries/queries.js";
import type {
  DescribedMoment,
  DocumentReference,
  ExplainedFact,
  MissingFact,
  Moment,
  StillServed,
} from "./auditFacts.js";
import type {
  AskGroupMembers,
  AskIndexedDocument,
  AskInventory,
  GroupMembers,
  IndexedDocumentState,
  InventoryPage,
} from "./inventoryQuestions.js";
import type { DatasourceCounts, FoundSubject, SubjectSearch } from "./ports/permissionHistory.js";
import type { AskHistory, ChangedItem, HistoryAnswerPage } from "./historyQuestions.js";

export type {
  AskInventory,
  GroupMembers,
  IndexedDocumentState,
  InventoryItem,
  InventoryPage,
} from "./inventoryQuestions.js";

export type { DatasourceCounts } from "./ports/permissionHistory.js";
export type { DocumentReference, ExplainedFact, MissingFact, Moment, StillServed } from "./auditFacts.js";

/** May this person see this document, and why? */
export interface AskAccess extends DocumentReference {
  readonly user: Email;
  readonly at: Moment;
}

/** A request of the Indexing API. */
export interface ChangeRequest {
  method: "POST";
  path: string;
  body: object;
}

/** The answer to {@link AskAccess}, as it leaves the service. */
export interface AccessAnswer extends DescribedMoment {
  has_access: boolean;
  /**
   * What makes it so, from the document to the person: with these facts alone the answer is the same. Empty for a no.
   */
  explanation: ExplainedFact[];
  /** For a no: what fails first. */
  missing?: MissingFact;
  /** For a no about now: what is served has not followed the log, and says yes. */
  still_served?: StillServed;
  /** For a no: the fewest requests of the Indexing API that would have made it a yes. A document's text is left out. */
  smallest_change?: ChangeRequest[];
}

/** A request of the Indexing API that is to be tried, and whatever is said in it. */
export interface TriedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The outcome of a request that was tried. */
export interface TriedOutcome {
  method: string;
  path: string;
  /** The status that the API would answer with. */
  status: number;
  /** What its answer would say; null where that is nothing but that it is done. */
  detail: string | null;
}

/** What would this person have found, had today's texts been there then? */
export interface AskPastSearch extends Search {
  readonly at: Moment;
}

/** The results, and as of when they were visible. */
interface PastSearchPage extends SearchPage, DescribedMoment {}

/**
 * A person who would see a document that they do not see now, and through what; or would not any more, and through what
 * they do.
 */
export interface WhatIfItem extends ChangedItem {
  change: "gains" | "loses";
}

/** A page of what would be if, as it leaves the service. */
export interface WhatIfAnswer {
  /** The moment as of which it was tried: ISO instant; null for an empty log. */
  at: string | null;
  position: string;
  /**
   * In the order of the requests; each was decided on what those before it would have left. Only on the first page;
   * others have none.
   */
  outcomes: TriedOutcome[];
  /** Pairs of person and document: those who gain come first. */
  items: WhatIfItem[];
  /** How many items all pages have. */
  total: number;
  total_gains: number;
  total_losses: number;
  /** `eq`: the totals are exact; `gte`: there are at least so many. */
  total_relation: "eq" | "gte";
  /** Sent back with the same requests, it brings the next page, as of the same moment; missing on the last. */
  next?: string;
}

/** Everything that can be asked about the past. One file per question; this is the registry's shape. */
export interface AuditQueries {
  access(question: AskAccess): QueryResult<AccessAnswer>;
  /** Whatever is about more than one person or document: see {@link HistoryQuestion}. */
  history(question: AskHistory): QueryResult<HistoryAnswerPage>;
  /** What does a datasource hold now? */
  inventory(question: AskInventory): QueryResult<InventoryPage>;
  /** What is known of a document now, and how far has it come? */
  indexedDocument(question: AskIndexedDocument): QueryResult<IndexedDocumentState>;
  /** How much do the datasources hold, as far as the permission history has come? */
  datasourceCounts(): Promise<readonly DatasourceCounts[]>;
  /** What bears a name with these parts, or bore one, as far as the permission history has come? */
  subjects(search: SubjectSearch): Promise<readonly FoundSubject[]>;
  /** Which people belong to this group now? */
  groupMembers(question: AskGroupMembers): QueryResult<GroupMembers>;
  /** What would this person have found, had today's texts been there then? */
  search(question: AskPastSearch): QueryResult<PastSearchPage>;
}
