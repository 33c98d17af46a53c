import type { CollectionFieldSchema } from "typesense/lib/Typesense/Collection.js";
import { shortHash } from "./encoding.js";
import type { Language } from "../../../shared/texts.js";
import type { DocumentDetails } from "../../../readModels/search.js";
import type { DatasourceId } from "../../../shared/ids.js";

/**
 * Raise it when terms are made or stored differently (tokens, stems, folding, frequencies): what is indexed then no
 * longer fits, and is rebuilt.
 */
const termsVersion = 12;

const text = (name: string, options: Partial<CollectionFieldSchema> = {}): CollectionFieldSchema => ({
  name,
  type: "string",
  ...options,
});

/**
 * The search read model in Typesense, in one place. Three collections belong together:
 * - `documents`: what is searched, filtered and shown. `w` holds the words as they are written, folded, in their order,
 *   and `w2` those whose stem stands there repeatedly (a title counts double). `t` holds the words of the title: see
 *   `titleWords.ts`. `sample` marks few documents: see `sampledDocuments.ts`. `by` is the author, hashed: the engine
 *   would take names that differ by case alone for one.
 * - `texts`: the texts of long documents in parts, and which of their passages hold which terms.
 * - `state`: the checkpoint, datasources, access classes, principals, parked events, and the lexicon in pages. Fields
 *   that are not named here are stored and not indexed.
 *
 * Where there is a model, a collection of vectors belongs to them: see {@link vectorFields}. `vec` of a document says
 * that it has those of one.
 */
export const collectionFields = {
  documents: [
    text("w"),
    text("w2"),
    text("t"),
    text("sample", { optional: true }),
    text("ds", { facet: true }),
    text("cls", { facet: true }),
    text("acl", { type: "int32[]" }),
    text("subs", { type: "string[]" }),
    text("type", { facet: true }),
    text("by", { facet: true, optional: true }),
    text("modified", { type: "int64", optional: true, sort: true }),
    text("position", { type: "int64", sort: true }),
    text("len", { type: "int32", sort: true, facet: true }),
    text("props", { type: "bool" }),
    text("vec", { optional: true }),
  ],
  texts: [text("doc"), text("ds"), text("position", { type: "int64", sort: true })],
  state: [
    text("kind"),
    text("key", { optional: true }),
    text("ds", { optional: true }),
    text("v", { type: "int64", sort: true }),
    text("n", { type: "int32", sort: true }),
  ],
} as const satisfies Readonly<Record<string, readonly CollectionFieldSchema[]>>;

const narrowedBy = new Set<string>(["ds", "cls", "acl", "subs", "type", "modified"]);

/**
 * A passage's vector, with what searches are narrowed by, as its document has it: so what a person cannot see is left
 * out before distances are computed. The engine's usual graph (`M` 16, `ef_construction` 200).
 */
export const vectorFields = (dimensions: number): readonly CollectionFieldSchema[] => [
  text("doc"),
  ...collectionFields.documents
    .filter(({ name }) => narrowedBy.has(name))
    .map(({ name, type, optional = false }: CollectionFieldSchema) => text(name, { type, optional })),
  text("position", { type: "int64", sort: true }),
  text("v", { type: "float[]", num_dim: dimensions, vec_dist: "cosine" }),
];

type CollectionPart = keyof typeof collectionFields;
export const collectionParts = Object.keys(collectionFields) as readonly CollectionPart[];

/** Changes whenever what is stored no longer fits the code. */
export const schemaVersion = shortHash(JSON.stringify([termsVersion, collectionFields])).slice(0, 8);

/** Names of one version's collections. */
export type CollectionNames = Readonly<Record<CollectionPart, string>>;

/** The alias that names the version that is served. */
export const aliasName = (namespace: string): string => `${namespace}_search`;

/** The prefix of everything of ours in an engine. */
const versionPrefix = (namespace: string): string => `${aliasName(namespace)}_`;

/** The collections of a version of a namespace; this code's where none is given. */
export const namesOf = (namespace: string, version: string = schemaVersion): CollectionNames => ({
  documents: `${versionPrefix(namespace)}${version}_documents`,
  texts: `${versionPrefix(namespace)}${version}_texts`,
  state: `${versionPrefix(namespace)}${version}_state`,
});

/**
 * The collection of one version that holds vectors of this model and length. Another model has another one, so that no
 * vector is ever compared with one of another kind.
 */
export const vectorsNameOf = (
  namespace: string,
  model: string,
  dimensions: number,
  version: string = schemaVersion,
): string => `${vectorsPrefix(namespace, version)}${shortHash(JSON.stringify([model, dimensions]))}`;

/** How the collections of vectors of a version begin. */
export const vectorsPrefix = (namespace: string, version: string = schemaVersion): string =>
  `${versionPrefix(namespace)}${version}_vectors_`;

/** The version to which a collection of this namespace belongs; null where it is not one of the search read model. */
export function versionOf(namespace: string, collection: string): string | null {
  if (!collection.startsWith(versionPrefix(namespace))) return null;
  return (
    /^([0-9a-z]{8})_(?:documents|texts|words|state|vectors_[0-9a-z]{13})$/.exec(
      collection.slice(versionPrefix(namespace).length),
    )?.[1] ?? null
  );
}

/** What is stored of a document: see `schema.ts`. */
export interface DocumentRow {
  readonly id: string;
  readonly w: string;
  readonly w2: string;
  readonly t: string;
  readonly sample?: string;
  readonly ds: string;
  readonly cls: string;
  /** The numbers of the principals to whom it is open: see `accessNumbers.ts`. */
  readonly acl: readonly number[];
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
  readonly kind: "checkpoint" | "datasource" | "class" | "principal" | "parked" | "vectors" | "words";
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

/** What documents carry by a number: an access class, or a principal that they name, which has a single token. */
export interface NumberedState {
  readonly ds: string;
  /** Tokens as they were minted, separated by blanks. */
  readonly tokens: string;
}
