import type { Language } from "../../../shared/texts.js";
import type { DocumentDetails } from "../../../readModels/search.js";
import type { DatasourceId } from "../../../shared/ids.js";

/** What is stored of a document: see `schema.ts`. */
export interface DocumentRow {
  readonly id: string;
  readonly w: string;
  readonly w2: string;
  readonly t: string;
  readonly sample?: string;
  readonly ds: string;
  readonly cls: string;
  readonly acl: readonly string[];
  readonly subs: readonly string[];
  readonly type: string;
  /** The author's key and name; left out where none is known. */
  readonly by?: string;
  readonly author?: string;
  /** Epoch milliseconds; left out where none is known. */
  readonly modified?: number;
  readonly position: number;
  /** Empty where none was recognised. */
  readonly lang: Language | "";
  /** How many terms title and text count as: `countedLength`. */
  readonly len: number;
  /** True where the document has custom properties. */
  readonly props: boolean;
  /** The most frequent words, by their hash, with how often they stand there: see `frequencies.ts`. */
  readonly tf: string;
  /** True where {@link tf} leaves rarer words out. */
  readonly cut: boolean;
  /** How many pages its passages have; 0 where it is scored as a whole. */
  readonly pages: number;
  /** The whole text of a short document; left out where {@link TextRow} have it. */
  readonly text?: string;
  /** The page of its passages in base 64, where it is scored by them and its text is here. */
  readonly page?: string;
  /** How many parts a text has that is not here; 0: it is here. */
  readonly parts: number;
  /**
   * A {@link StoredHitSummary} as JSON, because the engine leaves out what is null in a row that replaces another.
   */
  readonly card: string;
  /** The mark of the vectors that its passages have; left out where there are none yet. */
  readonly vec?: string;
}

/** A passage's vector: see `vectorFields`. What narrows searches is as in its document. */
export type VectorRow = Pick<DocumentRow, "id" | "ds" | "cls" | "acl" | "subs" | "type" | "modified" | "position"> & {
  readonly doc: string;
  /** Where the passage stands in the first part of the document's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly v: readonly number[];
};

/** Which vectors a version has. */
export interface VectorsState {
  readonly model: string;
  /** 0: no text was taken yet. */
  readonly dimensions: number;
  /** Marks documents that have these vectors; another one whenever all have to be made anew. */
  readonly mark: string;
}

/**
 * What is shown of a document. Its subs are those to which it was bound; the datasource tells whether they are still
 * there.
 */
export type StoredHitSummary = Omit<DocumentDetails, "sub" | "childSub"> & {
  readonly sub: BoundSub | null;
  readonly childSub: BoundSub | null;
};

export interface BoundSub {
  readonly key: string;
  readonly id: string;
}

/** A part of a long text, or a page of its passages. */
export interface TextRow {
  readonly id: string;
  readonly doc: string;
  readonly ds: string;
  readonly position: number;
  /** Only in parts of the text. */
  readonly text?: string;
  /** Only in pages: what it says, in base 64; see {@link DocumentRow}. */
  readonly page?: string;
}

/** A row of the `state` collection; `json` is what it says. */
export interface StateRow {
  readonly id: string;
  readonly kind: "checkpoint" | "datasource" | "class" | "parked" | "vectors" | "words";
  readonly key?: string;
  readonly ds?: string;
  /** Grows with the log; of a page of the lexicon its number, below zero. */
  readonly v: number;
  readonly n: number;
  readonly json: string;
}

/** How far the collection has come. */
export interface CheckpointState {
  /** A position in decimal digits. */
  readonly position: string;
  /** The landmark of the position. Absent in what an older program wrote. */
  readonly landmark?: { readonly position: string; readonly id: string };
  /**
   * It changes whenever datasources or access classes have changed: a reader that has read them under this stamp knows
   * them.
   */
  readonly stamp: string;
  /** Another one where the collections were lost and made anew. Absent in what an older program wrote. */
  readonly generation?: string;
}

export interface SubState {
  readonly key: string;
  /** `null`: a top-level sub. */
  readonly parentKey: string | null;
  /** The mark of documents that are bound to it. A key that is declared again gets another one. */
  readonly id: string;
  /** Position of the declaration. */
  readonly since: string;
}

export interface DatasourceState {
  readonly datasourceId: DatasourceId;
  readonly name: string;
  readonly status: "served" | "suspended" | "deleted";
  readonly searchable: readonly string[];
  readonly subs: readonly SubState[];
  /** Documents at positions after the first, up to the second, are still to be analysed with the present properties. */
  readonly toAnalyse: { readonly after: number; readonly upTo: number } | null;
}

export interface ClassState {
  readonly ds: string;
  /** Tokens as they were minted, separated by blanks. */
  readonly tokens: string;
}
