import type { CollectionFieldSchema } from "typesense/lib/Typesense/Collection.js";
import { shortHash } from "./encoding.js";

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
 * - `state`: the checkpoint, datasources, access classes, parked events, and the lexicon in pages. Fields that are not
 *   named here are stored and not indexed.
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
    text("acl", { type: "string[]" }),
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
