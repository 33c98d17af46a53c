import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, extname, join, relative } from "node:path";
import Table from "cli-table3";
import { ExtractionPool } from "../src/adapters/extraction/pool/extractionPool.js";
import { carriedString } from "../src/shared/carriedText.js";

/** What was read of one file of a collection. */
interface FileResult {
  readonly file: string;
  /** How its name ends, in capitals. */
  readonly format: string;
  /** Why it was not read; null: it was. */
  readonly skipped: string | null;
  /** Which share of the words of the reference was read; null: there is no reference, or hardly a word in it. */
  readonly recall: number | null;
  readonly words: number;
  readonly ms: number;
}

/** What was read of the files of one format. */
interface FormatResult {
  readonly format: string;
  readonly files: number;
  readonly read: number;
  /** How many files were skipped, by the reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The mean over files; null where none has a reference. */
  readonly recall: number | null;
  /** Over the words of all files. */
  readonly recallOfWords: number | null;
}

/** What was read of a folder of files. */
export interface CollectionResult {
  readonly formats: readonly FormatResult[];
  readonly worst: readonly FileResult[];
}

const timeoutMs = 30_000;
const memoryMb = 512;
const mostCharacters = 20_000_000;
const mostWorst = 20;
/** A reference of fewer words says nothing of a format. */
const leastWords = 5;

/**
 * Reads all files of a folder as the service does, and compares them with the texts of another reader: that of
 * `a.doc` stands beside it as `a.doc.txt`.
 */
export async function measureCollection(folder: string, report: (line: string) => void): Promise<CollectionResult> {
  const concurrency = Math.max(1, availableParallelism() - 1);
  const limits = { maxCharacters: mostCharacters, ocrLanguages: null };
  const pool = new ExtractionPool({ limits, timeoutMs, memoryMb, concurrency, maxWaiting: concurrency });
  try {
    const all = filesIn(folder);
    const names = new Set(all);
    const files = all.filter((file) => !(file.endsWith(".txt") && names.has(file.slice(0, -".txt".length))));
    const results: FileResult[] = [];
    const readOn = async (): Promise<void> => {
      for (let file = files.pop(); file !== undefined; file = files.pop()) {
        results.push(await measureFile(pool, folder, file, names.has(`${file}.txt`)));
        if (results.length % 100 === 0) report(`${results.length} of ${results.length + files.length} files`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, readOn));
    return { formats: byFormat(results), worst: worstOf(results) };
  } finally {
    await pool.close();
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });

async function measureFile(
  pool: ExtractionPool,
  folder: string,
  file: string,
  hasReference: boolean,
): Promise<FileResult> {
  const startedAt = performance.now();
  const name = basename(file);
  const read = await pool.extract({ content: readFileSync(file), mimeType: null, charset: null, name });
  const text = read.kind === "text" ? carriedString(read.text) : "";
  const reference = wordsOf(hasReference ? readFileSync(`${file}.txt`, "utf8") : "");
  const words = [...reference.values()].reduce((sum, count) => sum + count, 0);
  return {
    file: relative(folder, file),
    format: extname(file).slice(1).toUpperCase(),
    skipped: read.kind === "text" ? null : read.kind === "unextractable" ? read.reason : "It holds no text.",
    recall: read.kind !== "text" || words < leastWords ? null : foundOf(reference, wordsOf(text)) / words,
    words,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** Words of three letters and more, and how often each is there. */
function wordsOf(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const plain = text.normalize("NFKC").toLowerCase().replaceAll("\u00ad", "");
  for (const word of plain.match(/\p{L}{3,}/gu) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

const foundOf = (reference: ReadonlyMap<string, number>, read: ReadonlyMap<string, number>): number =>
  [...reference].reduce((sum, [word, count]) => sum + Math.min(count, read.get(word) ?? 0), 0);

function byFormat(results: readonly FileResult[]): readonly FormatResult[] {
  const formats = [...new Set(results.map(({ format }) => format))];
  return formats
    .map((format) =>
      formatResult(
        format,
        results.filter((file) => file.format === format),
      ),
    )
    .sort((one, other) => other.files - one.files);
}

function formatResult(format: string, files: readonly FileResult[]): FormatResult {
  const reasons: Record<string, number> = {};
  for (const { skipped } of files) if (skipped !== null) reasons[skipped] = (reasons[skipped] ?? 0) + 1;
  const compared = files.flatMap(({ recall, words }) => (recall === null ? [] : { recall, words }));
  const words = compared.reduce((sum, file) => sum + file.words, 0);
  const found = compared.reduce((sum, file) => sum + file.recall * file.words, 0);
  return {
    format,
    files: files.length,
    read: files.filter(({ skipped }) => skipped === null).length,
    reasons,
    recall: compared.length === 0 ? null : compared.reduce((sum, { recall }) => sum + recall, 0) / compared.length,
    recallOfWords: words === 0 ? null : found / words,
  };
}

const worstOf = (results: readonly FileResult[]): readonly FileResult[] =>
  results
    .filter(({ recall }) => recall !== null)
    .sort((one, other) => (one.recall ?? 1) - (other.recall ?? 1))
    .slice(0, mostWorst);

/** As tables for a terminal. */
export function collectionTables({ formats, worst }: CollectionResult): string {
  const share = (recall: number | null): string => (recall === null ? "" : recall.toFixed(4));
  const table = new Table({
    head: ["format", "files", "read", "recall", "of all words", "skipped"],
    style: { head: [] },
  });
  for (const { format, files, read, recall, recallOfWords, reasons } of formats) {
    const told = Object.entries(reasons).map(([reason, count]) => `${count}: ${reason}`);
    table.push([format, files, read, share(recall), share(recallOfWords), told.join("\n")]);
  }
  const files = new Table({ head: ["the worst", "recall", "words", "ms"], style: { head: [] } });
  for (const { file, recall, words, ms } of worst) files.push([file, share(recall), words, ms]);
  return `${table.toString()}\n${files.toString()}`;
}
