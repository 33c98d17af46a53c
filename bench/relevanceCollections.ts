import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A collection to measure relevance with: documents, questions, and which documents answer which question. */
export interface RelevanceCollection {
  /** The file name's beginning. */
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Questions that have an answer. */
  readonly questions: readonly { readonly text: string; readonly gains: ReadonlyMap<string, number> }[];
}

const documentsEnding = ".docs.tsv";

/**
 * Reads every collection of a folder: `NAME.docs.tsv` (id, title, text), `NAME.queries.tsv` (id, text),
 * `NAME.qrels.tsv` (question, document, gain); no headers.
 */
export function readCollections(folder: string): readonly RelevanceCollection[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(documentsEnding))
    .map((file) => basename(file, documentsEnding))
    .sort();
  if (names.length === 0)
    throw new Error(`No collection found: ${folder} holds no file that ends in ${documentsEnding}.`);
  return names.map((name) => readCollection(folder, name));
}

function readCollection(folder: string, name: string): RelevanceCollection {
  const gains = new Map<string, Map<string, number>>();
  for (const [question = "", document = "", gain = "1"] of rowsOf(join(folder, `${name}.qrels.tsv`))) {
    if (Number(gain) <= 0) continue;
    const known = gains.get(question) ?? new Map<string, number>();
    gains.set(question, known.set(document, Number(gain)));
  }
  return {
    name,
    documents: rowsOf(join(folder, `${name}${documentsEnding}`)).map(([id = "", title = "", text = ""]) => ({
      id,
      title,
      text,
    })),
    questions: rowsOf(join(folder, `${name}.queries.tsv`)).flatMap(([id = "", text = ""]) => {
      const answers = gains.get(id);
      return answers === undefined ? [] : [{ text, gains: answers }];
    }),
  };
}

const rowsOf = (file: string): readonly (readonly string[])[] =>
  readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
