import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import Table from "cli-table3";
import { analyseQuery, type QueryWord } from "../src/analysis/analyseQuery.js";
import { inverseDocumentFrequency } from "../src/analysis/bm25f.js";
import { compoundSplits, likeliestSplit } from "../src/analysis/compounds.js";
import { foldDigraphs } from "../src/analysis/folding.js";
import type { Language } from "../src/shared/texts.js";
import { languageBy } from "../src/analysis/languageEvidence.js";
import { nearnessOf, usualShares, type NearnessShares } from "../src/analysis/nearness.js";
import { titleWeight } from "../src/analysis/rankingRules.js";
import { addSurfaces, termsOf, wordOf, type Surface } from "../src/analysis/words.js";
import {
  readCollections,
  type RelevanceCollection,
  meanScores,
  scoreResults,
  type RelevanceScores,
} from "./relevanceAnswers.js";

/**
 * Which parts of the ranking are at work. Everything runs in process on FTS5's own BM25, all collections in one index.
 */
interface Devices {
  readonly stems: boolean;
  readonly languageTags: boolean;
  readonly stopWords: boolean;
  readonly titleWeight: number;
  readonly compounds: boolean;
  readonly nearness: NearnessShares;
}

const all: Devices = {
  stems: true,
  languageTags: true,
  stopWords: true,
  titleWeight,
  compounds: true,
  nearness: usualShares,
};

const noNearness: NearnessShares = { exact: 0, neighbours: 0, window: 0 };
const bare: Devices = {
  stems: false,
  languageTags: false,
  stopWords: false,
  titleWeight: 1,
  compounds: false,
  nearness: noNearness,
};

const variants: readonly (readonly [string, Devices])[] = [
  ["any word, BM25, nothing else", bare],
  ["all devices", all],
  ["all but stop words", { ...all, stopWords: false }],
  ["all but stems", { ...all, stems: false }],
  ["all but the language in the term", { ...all, languageTags: false }],
  ["all but the title's weight", { ...all, titleWeight: 1 }],
  ["all but compounds", { ...all, compounds: false }],
  ["all but words as typed", { ...all, nearness: { ...usualShares, exact: 0 } }],
  ["all but neighbours", { ...all, nearness: { ...usualShares, neighbours: 0 } }],
  ["all but words of one sentence", { ...all, nearness: { ...usualShares, window: 0 } }],
  ["all but the three", { ...all, nearness: noNearness }],
  ["title 3:1", { ...all, titleWeight: 3 }],
  ["half the nearness", { ...all, nearness: { exact: 0.1, neighbours: 0.125, window: 0.125 } }],
  ["twice the nearness", { ...all, nearness: { exact: 0.4, neighbours: 0.5, window: 0.5 } }],
];

const candidates = 30;
const shortestCompound = 8;
/** A word that more documents hold is not read as two. */
const rareDocuments = 2;

interface Indexed {
  readonly collection: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly language: Language | null;
}

const termOf = (word: string, language: Language | null, { stems, languageTags }: Devices): string => {
  const term = stems ? wordOf(word).termIn(language) : (language?.charAt(0) ?? "x") + foldDigraphs(word);
  return languageTags ? term : term.slice(1);
};

/** An index of all collections, under one choice of devices. */
class Index {
  private readonly database = new Database(":memory:");
  private readonly documents: Indexed[] = [];
  private readonly holding = new Map<string, number>();
  private readonly ranked;

  constructor(
    collections: readonly RelevanceCollection[],
    private readonly devices: Devices,
  ) {
    this.database.exec("CREATE VIRTUAL TABLE terms USING fts5(title, body, collection UNINDEXED, tokenize = 'ascii')");
    const insert = this.database.prepare("INSERT INTO terms (rowid, title, body, collection) VALUES (?, ?, ?, ?)");
    for (const { name, documents } of collections)
      for (const document of documents) insert.run(this.documents.length + 1, ...this.analyse(document, name), name);
    this.ranked = this.database.prepare<[string, string, number], { rowid: number; score: number }>(
      `SELECT rowid, -bm25(terms, ${devices.titleWeight}, 1.0) AS score FROM terms WHERE terms MATCH ? AND collection = ? ORDER BY score DESC, rowid LIMIT ?`,
    );
  }

  private analyse(document: RelevanceCollection["documents"][number], collection: string): [string, string] {
    const title: Surface[] = [];
    const body: Surface[] = [];
    addSurfaces(document.title, title);
    addSurfaces(document.text, body);
    const language = languageBy([...title, ...body]);
    const columns = [title, body].map((surfaces) =>
      surfaces.map(({ word }) => termOf(word.text, language, this.devices)),
    );
    const words = [...title, ...body].map(({ word }) => `word ${word.text}`);
    for (const counted of new Set([...columns.flat(), ...words]))
      this.holding.set(counted, (this.holding.get(counted) ?? 0) + 1);
    this.documents.push({ ...document, collection, language });
    return [columns[0]?.join(" ") ?? "", columns[1]?.join(" ") ?? ""];
  }

  search(query: string, collection: string): readonly string[] {
    const words = this.wordsOf(query).map((word) =>
      Object.assign({}, word, { weight: Math.max(0, ...word.terms.map((term) => this.weigh(term))) }),
    );
    const terms = [
      ...words.flatMap((word) => word.terms),
      ...(this.devices.compounds ? this.partsOf(query, words) : []),
    ];
    if (terms.length === 0) return [];
    const nearness = nearnessOf(words, this.devices.nearness);
    return this.ranked
      .all(terms.map((term) => `"${term}"`).join(" OR "), collection, candidates)
      .map(({ rowid, score }) => ({ document: this.documents[rowid - 1] as Indexed, score }))
      .map(({ document, score }) => ({ id: document.id, score: score + nearness(document) }))
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
  }

  private weigh(term: string): number {
    const holding = this.holding.get(term) ?? 0;
    return holding === 0 ? 0 : inverseDocumentFrequency(this.documents.length, holding);
  }

  private wordsOf(query: string): readonly QueryWord[] {
    const { words } = analyseQuery(query);
    const { stems, languageTags, stopWords } = this.devices;
    if (stems && languageTags && stopWords) return words;
    const surfaces: Surface[] = [];
    addSurfaces(query, surfaces);
    const typed = stopWords
      ? words.map(({ word, position }) => ({ word, position }))
      : surfaces.map(({ word }, position) => ({ word: word.text, position }));
    const termsIn = (word: string): readonly string[] => [
      ...new Set((["de", "en", null] as const).map((language) => termOf(word, language, this.devices))),
    ];
    const plain = { isPrefix: false, isLiteral: false, isPartOfName: false };
    return typed.map(({ word, position }) => ({ word, typed: word, position, ...plain, terms: termsIn(word) }));
  }

  private partsOf(query: string, words: readonly QueryWord[]): readonly string[] {
    if (analyseQuery(query).language === "en") return [];
    const documentsWith = (word: string): number => this.holding.get(`word ${word}`) ?? 0;
    const rare = words.filter(({ word }) => word.length >= shortestCompound && documentsWith(word) <= rareDocuments);
    return rare.flatMap(({ word }) => {
      const split = likeliestSplit(compoundSplits(word), documentsWith);
      return split === null
        ? []
        : [split.head, split.tail].flatMap((part) =>
            this.devices.languageTags && this.devices.stems ? termsOf(part) : [termOf(part, "de", this.devices)],
          );
    });
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } });
const [folder] = positionals;
if (folder === undefined) {
  console.error("npm run bench:relevance-devices -- DIR [--json]");
  process.exitCode = 2;
} else {
  report(readCollections(folder));
}

function report(collections: readonly RelevanceCollection[]): void {
  const rows = variants.map(([name, devices]) => ({ name, scores: measure(collections, devices) }));
  if (values.json) {
    console.log(
      JSON.stringify({ node: process.version, measuredAt: new Date().toISOString(), variants: rows }, null, 2),
    );
    return;
  }
  const table = new Table({
    head: ["MRR@10 / nDCG@10 / recall@10", ...collections.map(({ name }) => name)],
    style: { head: [], border: [] },
  });
  for (const { name, scores } of rows) {
    table.push([
      name,
      ...scores.map((score) =>
        [score.reciprocalRank, score.discountedGain, score.recall].map((figure) => figure.toFixed(4)).join(" / "),
      ),
    ]);
  }
  console.log(table.toString());
}

function measure(collections: readonly RelevanceCollection[], devices: Devices): readonly RelevanceScores[] {
  const index = new Index(collections, devices);
  return collections.map(({ name, questions }) =>
    meanScores(questions.map(({ text, gains }) => scoreResults(index.search(text, name), gains))),
  );
}
