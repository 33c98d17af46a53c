import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import type { SearchReader } from "../queries/ports.js";
import { openSqliteSearchReader } from "../src/adapters/search/sqlite/openSqliteSearchReader.js";
import { facetFields, type HeldTokens } from "../src/readModels/search.js";
import { atMost, median, percentile, timed, type Measurement } from "./measure.js";
import { measureSuggestions } from "./suggestions.js";
import { buildSearchCorpus, memberOfEach, type SearchCorpus } from "./searchCorpus.js";

const rounds = 7;
const queriesPerRound = 100;
const filters = { datasources: null, fileTypes: null, modifiedFrom: null, modifiedTo: null };

type SqliteReader = Awaited<ReturnType<typeof openSqliteSearchReader>>;

interface Kind {
  readonly name: string;
  readonly queries: readonly string[];
}

/** Milliseconds of each query, a list per round. */
/** Milliseconds of queries whose words were not asked for before. */
interface FirstUse {
  readonly usual: number;
  readonly most: number;
}

interface Figures {
  readonly person: number[][];
  readonly everyone: number[][];
}

/** Noise hits single rounds: the median of the rounds' percentiles. */
const overRounds = (figures: readonly (readonly number[])[], percent: number): number =>
  median(figures.map((round) => percentile(round, percent)));

/** Sizes of the search benchmark. */
export interface SearchBenchOptions {
  readonly documents: number;
  readonly groups: number;
  /** The person is in one of so many groups. */
  readonly memberOfOneIn: number;
  /** Words of a text, on average. */
  readonly textLength: number;
}

const usual: SearchBenchOptions = {
  documents: Number(process.env["SEARCH_DOCUMENTS"] ?? 100_000),
  groups: 20_000,
  memberOfOneIn: 4,
  textLength: Number(process.env["SEARCH_TEXT_LENGTH"] ?? 200),
};

/** Within this time a service that starts again answers searches. */
const promisedStartMs = 5_000;
/** The memory that the benchmark's process may take, with its reader. */
const promisedBytes = 1024 ** 3;
/** What share of the documents a common word is in at least. */
const commonShare = 0.9;

/**
 * Searches as a person in a quarter of the groups against the same query by someone who sees everything, and the
 * slowest kind against a plain FTS5 query for a word in 1% of the documents. Through the reader, in turns, query by
 * query.
 */
export async function measureSearch(options: SearchBenchOptions = usual): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-search-"));
  const [file, plainFile] = [join(folder, "search.sqlite"), join(folder, "plain.sqlite")];
  try {
    const corpus = await buildSearchCorpus({ file, plainFile, ...options });
    const { reader, measurement: start } = await measureStart(file);
    const plain = openPlainQuery(plainFile);
    const measurements = await measureKinds(reader, plain.query, corpus, options);
    const memory = measureMemory();
    plain.close();
    await reader.close();
    return [...measurements, start, memory];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long a new reader takes until it has answered its first search. */
async function measureStart(
  file: string,
): Promise<{ readonly reader: SqliteReader; readonly measurement: Measurement }> {
  const begun = performance.now();
  const reader = await openSqliteSearchReader({ file });
  await reader.search({ query: "warm", held: memberOfEach(1, 1), filters, count: 10, startPage: 0 });
  const taken = performance.now() - begun;
  return {
    reader,
    measurement: {
      name: `a new reader's first answer ÷ the ${promisedStartMs / 1_000} s that are promised`,
      ...atMost(1, taken / promisedStartMs),
      ours: inMilliseconds(taken),
      peer: inMilliseconds(promisedStartMs),
      rounds: 1,
    },
  };
}

function measureMemory(): Measurement {
  const { rss } = process.memoryUsage();
  const inMebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
  return {
    name: "memory of the process that indexed and searches ÷ what is promised",
    ...atMost(1, rss / promisedBytes),
    ours: inMebibytes(rss),
    peer: inMebibytes(promisedBytes),
    rounds: 1,
  };
}

async function measureKinds(
  reader: SearchReader,
  plainQuery: (word: string) => void,
  corpus: SearchCorpus,
  { groups, memberOfOneIn }: SearchBenchOptions,
): Promise<readonly Measurement[]> {
  const person = memberOfEach(memberOfOneIn, groups);
  const everyone = memberOfEach(1, groups);
  const kinds = kindsOf(corpus);
  const first = await firstUses(reader, everyone, kinds);
  const figures = new Map<Kind, Figures>(kinds.map((kind) => [kind, { person: [], everyone: [] }]));
  const plain: number[] = [];
  const onePercent = wordsHeldBy(corpus, 0.009, 0.011);
  for (let round = 0; round < rounds; round++) {
    for (const { person: persons, everyone: everyones } of figures.values()) {
      persons.push([]);
      everyones.push([]);
    }
    for (let index = 0; index < queriesPerRound; index++) {
      for (const [kind, kept] of figures)
        await askBoth(reader, kind.queries[index % kind.queries.length] ?? "", [person, everyone], kept, index);
      plain.push(await timed(() => plainQuery(onePercent[index % onePercent.length] ?? "")));
    }
  }
  const ratios = [...figures].flatMap(([{ name }, figure]) => [
    personMeasurement(name, figure, 50, 1.3),
    personMeasurement(name, figure, 99, 1.5),
  ]);
  const facets = await measureFacets(reader, wordsHeldBy(corpus, commonShare, 1), everyone);
  const everyday = [...wordsHeldBy(corpus, 0, 0.001), ...wordsHeldBy(corpus, 0.01, 1)];
  const suggestions = await measureSuggestions(reader, everyday, [person, everyone, memberOfEach(groups, groups)]);
  return [...ratios, slowestMeasurement(figures, plain, first), facets, ...suggestions];
}

const dayMs = 86_400_000;
const windows = [3, 7, 30, 90, 365, 1_825].map((days) => {
  const to = Date.UTC(2024, 0, 16);
  return { word: `${days} days`, from: to - days * dayMs, to };
});

/** What counting by everything adds to the search that counts most. */
async function measureFacets(reader: SearchReader, queries: readonly string[], held: HeldTokens): Promise<Measurement> {
  const facets = { fields: facetFields, windows };
  const [alone, counted]: [number[], number[]] = [[], []];
  const askFor = async (query: string, kept: number[], more: object): Promise<void> => {
    kept.push(await timed(() => reader.search({ query, held, filters, count: 10, startPage: 0, ...more })));
  };
  const first = await timed(() =>
    reader.search({ query: queries[0] ?? "", held, filters, count: 10, startPage: 0, facets }),
  );
  for (let turn = 0; turn < rounds * queries.length; turn++) {
    const query = queries[turn % queries.length] ?? "";
    if (turn % 2 === 0) await askFor(query, alone, {});
    await askFor(query, counted, { facets });
    if (turn % 2 === 1) await askFor(query, alone, {});
  }
  return {
    name: "counts by file type, datasource, author and time ÷ the search alone, a word in over 90% of the documents, medians",
    ...atMost(3, median(counted) / median(alone)),
    ours: `${inMilliseconds(median(counted))} (authors first read: ${inMilliseconds(first)})`,
    peer: inMilliseconds(median(alone)),
    rounds,
  };
}

const kindsOf = (corpus: SearchCorpus): readonly Kind[] => [
  { name: "a rare word", queries: wordsHeldBy(corpus, 0, 0.001) },
  { name: "a middling word", queries: wordsHeldBy(corpus, 0.01, 0.03) },
  { name: "a word in over 90% of the documents", queries: wordsHeldBy(corpus, commonShare, 1) },
  { name: "a question of ten words", queries: corpus.questions },
];

/** Some words that a share of the documents hold, evenly picked. */
function wordsHeldBy(
  { frequencies, documents }: SearchCorpus,
  atLeastShare: number,
  atMostShare: number,
): readonly string[] {
  const fitting = [...frequencies]
    .filter(([, holding]) => holding >= atLeastShare * documents && holding <= atMostShare * documents)
    .map(([word]) => word);
  if (fitting.length === 0)
    throw new Error(`No word of the corpus is held by ${atLeastShare} to ${atMostShare} of the documents.`);
  const step = Math.max(1, Math.floor(fitting.length / queriesPerRound));
  return fitting.filter((_, index) => index % step === 0).slice(0, queriesPerRound);
}

/** In turns: who asks first finds nothing warm. */
async function askBoth(
  reader: SearchReader,
  query: string,
  [person, everyone]: readonly [HeldTokens, HeldTokens],
  kept: Figures,
  turn: number,
): Promise<void> {
  const [ofPerson = [], ofEveryone = []] = [kept.person.at(-1), kept.everyone.at(-1)];
  if (turn % 2 === 0) await ask(reader, query, person, ofPerson);
  await ask(reader, query, everyone, ofEveryone);
  if (turn % 2 === 1) await ask(reader, query, person, ofPerson);
}

async function ask(reader: SearchReader, query: string, held: HeldTokens, figures: number[]): Promise<void> {
  figures.push(await timed(() => reader.search({ query, held, filters, count: 10, startPage: 0 })));
}

/** What each query takes when its words have not been asked for before; the later rounds find them remembered. */
async function firstUses(
  reader: SearchReader,
  held: HeldTokens,
  kinds: readonly Kind[],
): Promise<ReadonlyMap<Kind, FirstUse>> {
  const uses = new Map<Kind, FirstUse>();
  await reader.search({ query: "warm", held, filters, count: 10, startPage: 0 });
  for (const kind of kinds) {
    const figures: number[] = [];
    for (const query of kind.queries) await ask(reader, query, held, figures);
    uses.set(kind, { usual: median(figures), most: Math.max(...figures) });
  }
  return uses;
}

const inMilliseconds = (value: number): string => `${value.toFixed(2)} ms`;

function personMeasurement(name: string, { person, everyone }: Figures, percent: number, most: number): Measurement {
  const [ours, peer] = [overRounds(person, percent), overRounds(everyone, percent)];
  return {
    name: `search as a person in a quarter of the groups ÷ unfiltered, ${name}, ${percent === 50 ? "median" : `p${percent}`}`,
    ...atMost(most, ours / peer),
    ours: inMilliseconds(ours),
    peer: inMilliseconds(peer),
    rounds,
  };
}

function slowestMeasurement(
  figures: ReadonlyMap<Kind, Figures>,
  plain: readonly number[],
  first: ReadonlyMap<Kind, FirstUse>,
): Measurement {
  const slowest = Math.max(
    ...[...figures.values()].flatMap(({ person, everyone }) => [overRounds(person, 50), overRounds(everyone, 50)]),
  );
  const firstUse = [...first]
    .map(([{ name }, { usual: often, most }]) => `${name} ${inMilliseconds(often)}, at most ${inMilliseconds(most)}`)
    .join("; ");
  return {
    name: "the slowest kind of search ÷ a plain FTS5 query for a word in 1% of the documents, medians",
    ...atMost(10, slowest / median(plain)),
    ours: `${inMilliseconds(slowest)} (first use: ${firstUse})`,
    peer: inMilliseconds(median(plain)),
    rounds,
  };
}

function openPlainQuery(file: string) {
  const database = new Database(file, { readonly: true });
  const statement = database.prepare(
    "SELECT rowid, title, body FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT 10",
  );
  return {
    query: (word: string): void => void statement.all(`"${word}"`),
    close: () => database.close(),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  console.log(JSON.stringify(await measureSearch(), null, 2));
