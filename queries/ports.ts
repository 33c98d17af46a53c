import type { Datasource } from "../src/events/datasource.js";
import type { AccountRecord, CredentialRecord, SessionRecord } from "../src/readModels/credentials.js";
import type {
  FacetsAsked,
  DocumentDetails,
  HeldTokens,
  SearchFilters,
  SearchOrder,
  SearchPage,
  TextPart,
  Suggestion,
} from "../src/readModels/search.js";
import type { Language } from "../src/shared/texts.js";
import type {
  CredentialId,
  DatasourceId,
  DatasourceName,
  DocumentId,
  Email,
  GroupId,
  PrincipalToken,
} from "../src/shared/ids.js";
import type { Position } from "../src/shared/position.js";
import type { PrincipalTokens } from "../src/shared/principalTokens.js";

/**
 * A read model that knows how far it has come. Every method of a reader but `reached` throws `ReadModelUnavailable`
 * (`src/shared`) where its engine cannot answer: access fails closed, and nothing is a silent no.
 */
export interface Checkpointed {
  /** Everything up to and including this position is served. */
  position(): Promise<Position>;
  /**
   * Resolves once {@link position} has reached `position`; false where that took longer than `timeoutMs`, also for an
   * engine that is down.
   */
  reached(position: Position, timeoutMs: number): Promise<boolean>;
}

/** How many there are of what a version of a read model holds, by what is counted: `documents`, `people`. */
export type Counts = Readonly<Record<string, number>>;

/**
 * What engines hold, as they count it themselves: rows that no question can reach are in it, those of deleted
 * datasources are not.
 */
export interface Counted {
  /** Throws `ReadModelUnavailable` where the engine cannot answer. */
  counts(projection: string): Promise<Counts>;
}

/** A page of what a version holds. `next` begins the page after it; null after the last. */
export interface HeldPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A document that a served datasource holds. */
export interface HeldDocument {
  readonly datasourceId: DatasourceId;
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
}

/** A person who is registered on a datasource. */
export interface PersonOfDatasource {
  readonly datasourceId: DatasourceId;
  readonly email: Email;
}

/** A group as it is stored. */
export interface HeldGroup {
  readonly datasourceId: DatasourceId;
  readonly groupId: GroupId;
  readonly name: string;
  /** The tokens of the group and of all above it. */
  readonly tokens: readonly PrincipalToken[];
}

/** What a query means, as a model has it. */
export interface QueryMeaning {
  /** Says which model; vectors of others are not compared with it. */
  readonly model: string;
  /** A vector of length 1. */
  readonly vector: Float32Array;
  /** A passage is found from this cosine on. */
  readonly leastSimilarity: number;
}

/** One page of results, for a person who is known by the tokens held. */
export interface SearchRequest {
  readonly query: string;
  readonly held: HeldTokens;
  /** The person who takes turns with others; left out: the holder of these tokens. */
  readonly askedBy?: string;
  readonly filters: SearchFilters;
  /**
   * The reader's language, whose documents come first among equals; left out: that of the query, where it is
   * recognised.
   */
  readonly language?: Language;
  /** 1 to 100. */
  readonly count: number;
  /** 0-based page number. */
  readonly startPage: number;
  /** Left out: by relevance. Equal ones are newer first, by the log. */
  readonly sort?: SearchOrder;
  /** Counts beside the page; left out: none, and they cost nothing. */
  readonly facets?: FacetsAsked;
  /** Every hit says why it is where it is. Left out: none does, and it costs nothing. */
  readonly explain?: true;
  /** Every hit comes with its passage, for a reranker to read. Left out: with its snippet alone. */
  readonly passages?: true;
  /** Documents are found by what they mean, too. Left out, or of another model than the index: by their words alone. */
  readonly meaning?: QueryMeaning;
}

/** What somebody has typed so far, for a person who is known by the tokens held. */
export interface SuggestRequest {
  readonly query: string;
  readonly held: HeldTokens;
  /** The person who takes turns with others; left out: the holder of these tokens. */
  readonly askedBy?: string;
  /** 1 to 20. */
  readonly count: number;
}

/** A document as the index holds it: what is served, and what decides who is served. */
export interface StoredDocument {
  readonly details: DocumentDetails;
  /** The document's access list, for the decision only; it never leaves the service. */
  readonly tokens: readonly PrincipalToken[];
}

/** Answers of the search collection. */
export interface SearchReader extends Checkpointed {
  /** Ranks what the held tokens may see; nothing else can influence hits, snippets or totals. */
  search(request: SearchRequest): Promise<SearchPage>;
  /**
   * Completes what is being typed from titles and words of documents that the held tokens may see; nothing else can
   * influence what is suggested, or its order.
   */
  suggest(request: SuggestRequest): Promise<readonly Suggestion[]>;
  /** null where the index holds no such document. */
  find(datasource: DatasourceName, documentId: DocumentId): Promise<StoredDocument | null>;
  /**
   * Only of an engine that searches another copy of a document than `find` answers from: whether that copy is found by
   * exactly these tokens, by others, or not at all.
   */
  searchedBy?(
    datasource: DatasourceName,
    documentId: DocumentId,
    tokens: readonly PrincipalToken[],
  ): Promise<"these" | "others" | "nothing">;
  /** null where the index holds no such document. */
  text(datasource: DatasourceName, documentId: DocumentId): Promise<string | null>;
  /**
   * A part of the text, by its number from 0 on: parts in their order are the text. null where there is none, or no
   * such document.
   */
  textPart(datasource: DatasourceName, documentId: DocumentId, part: number): Promise<TextPart | null>;
  /** How many documents this model, in the words of {@link QueryMeaning}, has yet to be shown; up to 100,000. */
  withoutVectors(model: string): Promise<number>;
  /**
   * Everything that could be found, whoever it is for; null: from the beginning. What is written meanwhile may be left
   * out, or told twice.
   */
  documents(after: string | null): Promise<HeldPage<HeldDocument>>;
}

/** Answers of the group closure. Fails closed: a parked datasource yields no tokens. */
export interface AccessReader extends Checkpointed {
  /** Every token of the person over all datasources: registration and transitive groups. */
  heldTokens(email: Email): Promise<HeldTokens>;
  /** True where the person holds one of the tokens. Costs a look-up, not a union. */
  holdsAny(datasource: DatasourceId, email: Email, tokens: readonly PrincipalToken[]): Promise<boolean>;
  /** True while the closure of this datasource cannot be trusted (a parked event). */
  isParked(datasource: DatasourceId): Promise<boolean>;
  /** Registered people, each once for each datasource; pages as of {@link SearchReader.documents}. */
  people(after: string | null): Promise<HeldPage<PersonOfDatasource>>;
  /** The groups of all datasources, deleted ones too. */
  groups(after: string | null): Promise<HeldPage<HeldGroup>>;
}

/** Answers of the catalogue: the datasources that are registered now. */
export interface CatalogueReader extends Checkpointed {
  find(name: DatasourceName): Promise<Datasource | null>;
  /** By name. */
  list(): Promise<readonly Datasource[]>;
}

/** Answers of the credentials read model; what a record proves is the business of those who authenticate. */
export interface CredentialReader extends Checkpointed {
  /** A service account or a personal key. */
  find(id: CredentialId): Promise<CredentialRecord | null>;
  /** Service accounts and personal keys, oldest first; revoked and expired ones too. */
  list(): Promise<readonly CredentialRecord[]>;
  findSession(id: CredentialId): Promise<SessionRecord | null>;
  /** Oldest first; some that have ended or expired too. */
  sessions(): Promise<readonly SessionRecord[]>;
  findAccount(email: Email): Promise<AccountRecord | null>;
  /** Oldest first; disabled ones too. */
  accounts(): Promise<readonly AccountRecord[]>;
}

/** Orders texts by how well they answer a question. */
export interface Reranker {
  /**
   * The indexes of all texts, each once, the best first; null where there is no order to be had in time. Never fails:
   * an answer can do without.
   */
  order(query: string, texts: readonly string[]): Promise<readonly number[] | null>;
}

/** Tells what queries mean. */
export interface QueryEmbedder {
  /** null where it cannot be told in time. Never fails: an answer can do without. */
  meaningOf(query: string): Promise<QueryMeaning | null>;
}

/** What questions are asked of: one version of each read model, and the settings that an answer depends on. */
export interface Readers {
  readonly search: SearchReader;
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  /** Mints the tokens that people hold, in the namespace of the service. */
  readonly tokens: Pick<PrincipalTokens, "anonymous">;
  /** The prefix of credentials. */
  readonly productName: string;
  /** How long a question waits for the read models to reach its consistency token. */
  readonly consistencyTimeoutMs: number;
  /** Whether the log has come as far as this position; asked anew before it says no. */
  isInLog(position: Position): Promise<boolean>;
  /** Left out: documents are found by their words alone. For the same searches as {@link reranker}. */
  readonly embedder?: QueryEmbedder;
  /** Left out: hits are in the index's order. Only of people's own searches; what has to be repeatable goes without. */
  readonly reranker?: Reranker;
  /** Aborts once other versions are served: these will reach no further position. Left out: never. */
  readonly superseded?: AbortSignal;
}
