import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export type EverydayLanguage = "de" | "en";

/** A made document of the made company. */
export interface EverydayDocument {
  readonly id: string;
  readonly language: EverydayLanguage;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  /** An ISO 8601 date. */
  readonly lastModified: string;
  readonly fileType: string;
  /** Folders, and the file's name where it is a file, joined by `/`. */
  readonly path: string;
  readonly isFile: boolean;
}

/** What somebody types, and what must come of it. */
export interface EverydayQuery {
  readonly language: EverydayLanguage;
  readonly kind: string;
  readonly text: string;
  readonly expected: EverydayExpectation;
  /** Ids of documents that must not be among the results, wherever. */
  readonly mustNotFind: readonly string[];
}

export type EverydayExpectation =
  | { readonly is: "nothing" }
  /** `one`: the documents are equally right. `all`: each must be there. At `rank`, counted from 1, or before. */
  | { readonly is: "one" | "all"; readonly documents: readonly string[]; readonly rank: number };

export interface EverydayCollection {
  readonly documents: readonly EverydayDocument[];
  readonly queries: readonly EverydayQuery[];
}

interface DocumentsFile {
  readonly language: EverydayLanguage;
  readonly type: string;
  readonly folder: string;
  readonly documents: readonly {
    readonly id: string;
    readonly title: string;
    readonly author: string;
    readonly date: string;
    readonly text: string;
    readonly file?: string;
    readonly type?: string;
  }[];
}

interface QueryEntry {
  readonly query: string;
  readonly finds?: readonly string[];
  readonly findsAll?: readonly string[];
  readonly findsNothing?: boolean;
  readonly rank?: number;
  readonly mustNotFind?: readonly string[];
}

/** Data is read where it was written: it is not copied to what is built. */
const folderOf = (path: string): string => fileURLToPath(new URL(`../../../bench/${path}`, import.meta.url));
/** The folders of the collections, by the organisation whose documents they are. */
export const everydayFolders = {
  company: folderOf("everyday"),
  town: folderOf("everyday/town"),
  campus: folderOf("everyday/campus"),
  factory: folderOf("everyday/factory"),
} as const;
export const everydayLanguages = ["de", "en"] as const;

/**
 * Reads the collection as README.md beside it describes. Throws an error that names the document or query in which it
 * is not so.
 */
export function readEverydayCollection(folder: string): EverydayCollection {
  const documents = readdirSync(join(folder, "documents"))
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .flatMap((file) => documentsOf(readYaml(join(folder, "documents", file)) as DocumentsFile));
  const queries = everydayLanguages.flatMap((language) =>
    queriesOf(language, readYaml(join(folder, `queries.${language}.yaml`)) as Record<string, readonly QueryEntry[]>),
  );
  checkDocuments(documents);
  checkQueries(queries, new Map(documents.map(({ id, language }) => [id, language])));
  return { documents, queries };
}

const readYaml = (file: string): unknown => parse(readFileSync(file, "utf8"));

const documentsOf = ({ language, type, folder, documents }: DocumentsFile): readonly EverydayDocument[] =>
  documents.map((document) => ({
    id: document.id,
    language,
    title: document.title,
    text: document.text,
    author: document.author,
    lastModified: document.date,
    fileType: document.type ?? type,
    path: document.file === undefined ? folder : `${folder}/${document.file}`,
    isFile: document.file !== undefined,
  }));

const queriesOf = (
  language: EverydayLanguage,
  kinds: Readonly<Record<string, readonly QueryEntry[]>>,
): readonly EverydayQuery[] =>
  Object.entries(kinds).flatMap(([kind, entries]) =>
    entries.map((entry) => ({
      language,
      kind,
      text: entry.query,
      expected: expectationOf(entry),
      mustNotFind: entry.mustNotFind ?? [],
    })),
  );

function expectationOf({ query, finds, findsAll, findsNothing, rank }: QueryEntry): EverydayExpectation {
  const said = [finds, findsAll, findsNothing].filter((one) => one !== undefined);
  const documents = finds ?? findsAll ?? [];
  if (said.length !== 1) throw faulty(query, "needs one of finds, findsAll and findsNothing");
  if (findsNothing) return { is: "nothing" };
  if (documents.length === 0) throw faulty(query, "names no document");
  if (rank === undefined || !Number.isInteger(rank) || rank < (findsAll?.length ?? 1))
    throw faulty(query, "needs a rank that its documents can reach");
  return { is: findsAll === undefined ? "one" : "all", documents, rank };
}

function checkDocuments(documents: readonly EverydayDocument[]): void {
  const seen = new Set<string>();
  for (const { id } of documents) {
    if (seen.has(id)) throw new Error(`Two documents have the id ${id}.`);
    seen.add(id);
  }
}

function checkQueries(queries: readonly EverydayQuery[], languages: ReadonlyMap<string, EverydayLanguage>): void {
  const seen = new Set<string>();
  for (const { language, text, expected, mustNotFind } of queries) {
    const found = expected.is === "nothing" ? [] : expected.documents;
    const unknown = [...found, ...mustNotFind].find((id) => !languages.has(id));
    const foreign = found.filter((id) => languages.get(id) !== language);
    if (seen.has(`${language} ${text}`)) throw faulty(text, `stands twice in ${language}`);
    if (unknown !== undefined) throw faulty(text, `names the document ${unknown}, which does not exist`);
    if (foreign.length > 0 && (expected.is === "all" || foreign.length === found.length))
      throw faulty(text, `cannot find ${foreign.join(", ")} in its own language`);
    seen.add(`${language} ${text}`);
  }
}

const faulty = (query: string, fault: string): Error => new Error(`The query ${JSON.stringify(query)} ${fault}.`);
