import { parseArgs } from "node:util";
import Table from "cli-table3";
import { everydayFolders, readEverydayCollection } from "./everyday/everydayCollection.js";
import {
  measureEveryday,
  type MeasuredQuery,
  everydayFailures,
  everydayFigures,
  everydayTable,
} from "./everyday/measureEveryday.js";
import {
  readCollections,
  type RelevanceCollection,
  measuredAnswers,
  scoreAnswer,
  type AnswersMeasured,
  type AskedAnswers,
  meanScores,
  scoreResults,
  type RelevanceScores,
} from "./relevanceAnswers.js";
import { startService, useService, type RelevanceService } from "./relevanceService.js";

const usage = `npm run bench:relevance -- [DIR] [--json] [--failures] [--everyday ${Object.keys(everydayFolders).join("|")}]
    [--base-url URL --service-account TOKEN --api-key KEY --person EMAIL]

Without DIR: asks the everyday queries of bench/everyday through HTTP, each of the datasource of its language and of
both; --everyday asks those of one organisation, --failures lists those that miss the rank they must reach.
With DIR: asks every question of every collection in DIR, all collections in one tenant, once filtered to its
collection's datasource and once unfiltered, and has the extractive model answer it by passages of that datasource.
Starts a service of its own, unless --base-url names one that runs: an empty one, for one organisation.`;

const longestTitle = 1_024;
const questionsInFlight = 4;
const depth = 10;

/** Scores of questions that are filtered to their collection's datasource. */
interface Measured extends RelevanceScores {
  readonly collection: string;
  readonly documents: number;
  readonly questions: number;
  /** The same questions, asked of all collections at once. */
  readonly unfiltered: RelevanceScores;
  readonly answers: AnswersMeasured;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    failures: { type: "boolean" },
    everyday: { type: "string" },
    "base-url": { type: "string" },
    "service-account": { type: "string" },
    "api-key": { type: "string" },
    person: { type: "string" },
  },
});

async function withService<T>(work: (service: RelevanceService) => Promise<T>): Promise<T> {
  const service = await connect();
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function connect(): Promise<RelevanceService> {
  const { "base-url": url, "service-account": serviceAccount, "api-key": apiKey, person } = values;
  if (url === undefined) return startService();
  if (serviceAccount === undefined || apiKey === undefined || person === undefined) throw new Error(usage);
  return useService({ url, serviceAccount, apiKey, person });
}

async function measure(
  service: RelevanceService,
  collections: readonly RelevanceCollection[],
): Promise<readonly Measured[]> {
  for (const collection of collections) await push(service, collection);
  const measured: Measured[] = [];
  for (const collection of collections) measured.push(await ask(service, collection));
  return measured;
}

const datasourceOf = (collection: RelevanceCollection): string =>
  `relevance_${collection.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")}`;

/** The collections' own ids may hold characters that a document id must not. */
const documentId = (index: number): string => `d${index}`;

const push = (service: RelevanceService, collection: RelevanceCollection): Promise<void> =>
  service.push(
    { name: datasourceOf(collection), displayName: collection.name },
    collection.documents.map(({ title, text }, index) => ({
      id: documentId(index),
      title: title === "" ? "-" : title.slice(0, longestTitle),
      body: { mime_type: "text/plain", text_content: text },
      file_type: "page",
    })),
  );

type Question = RelevanceCollection["questions"][number];

async function ask(service: RelevanceService, collection: RelevanceCollection): Promise<Measured> {
  const datasource = datasourceOf(collection);
  const idOf = new Map(collection.documents.map(({ id }, index) => [`${datasource}__${documentId(index)}`, id]));
  const paragraphs = new Map(collection.documents.map((document) => [document.id, document]));
  const asked: AskedAnswers = {
    ...{ datasource, get: service.get },
    paragraphOf: (id) => paragraphs.get(idOf.get(id) ?? ""),
  };
  const score = async ({ text, gains }: Question, filter?: string): Promise<RelevanceScores> => {
    const found = await service.search({ query: text, datasource: filter, count: depth });
    return scoreResults(
      found.map((id) => idOf.get(id) ?? ""),
      gains,
    );
  };
  const scores = await inTurns(collection.questions, async (question) => ({
    filtered: await score(question, datasource),
    unfiltered: await score(question),
    answer: await scoreAnswer(asked, question),
  }));
  return {
    collection: collection.name,
    documents: collection.documents.length,
    questions: scores.length,
    ...meanScores(scores.map(({ filtered }) => filtered)),
    unfiltered: meanScores(scores.map(({ unfiltered }) => unfiltered)),
    answers: measuredAnswers(scores.map(({ answer }) => answer)),
  };
}

/** Some questions at a time; the outcomes in their order. */
async function inTurns<Asked, Outcome>(
  questions: readonly Asked[],
  work: (question: Asked) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const waiting = questions.entries();
  const outcomes: Outcome[] = [];
  const workOn = async (): Promise<void> => {
    for (const [at, question] of waiting) outcomes[at] = await work(question);
  };
  await Promise.all(Array.from({ length: questionsInFlight }, workOn));
  return outcomes;
}

function collectionsTable(measured: readonly Measured[]): string {
  const table = new Table({
    head: ["collection", "documents", "questions", "asked", "MRR@10", "nDCG@10", "recall@10"],
    style: { head: [], border: [] },
  });
  for (const { collection, documents, questions, unfiltered, ...filtered } of measured)
    for (const [asked, scores] of Object.entries({ filtered, unfiltered }))
      table.push([
        ...[collection, documents, questions, asked],
        ...[scores.reciprocalRank, scores.discountedGain, scores.recall].map((figure) => figure.toFixed(4)),
      ]);
  return table.toString();
}

/** What answers of the extractive model hold. */
function answersTable(measured: readonly Measured[]): string {
  const table = new Table({
    head: ["answers", "questions of", "answer quoted", "whole", "quotations", "words"],
    style: { head: [], border: [] },
  });
  for (const { collection, answers } of measured)
    for (const [half, scores] of Object.entries(answers))
      table.push([
        ...[collection, half, scores.quoted.toFixed(4), scores.quotedWhole.toFixed(4)],
        ...[scores.quotations.toFixed(1), scores.words.toFixed(0)],
      ]);
  return table.toString();
}

const asJson = (figures: object): string =>
  JSON.stringify({ node: process.version, measuredAt: new Date().toISOString(), ...figures }, null, 2);

type OrganisationMeasured = readonly [organisation: string, measured: readonly MeasuredQuery[]];

const figuresOf = (everyday: readonly OrganisationMeasured[]): unknown =>
  Object.fromEntries(everyday.map(([organisation, measured]) => [organisation, everydayFigures(measured)]));

function everydayReport([organisation, measured]: OrganisationMeasured): string {
  const table = `everyday queries of the ${organisation}\n${everydayTable(measured)}`;
  return values.failures ? `${table}\n${everydayFailures(measured)}` : table;
}

/** What the organisations that are asked for measured, each in a tenant of its own. */
async function measureOrganisations(): Promise<readonly OrganisationMeasured[]> {
  const asked = Object.entries(everydayFolders).filter(([name]) => name === (values.everyday ?? name));
  if (asked.length === 0 || (asked.length > 1 && values["base-url"] !== undefined)) throw new Error(usage);
  const measured: OrganisationMeasured[] = [];
  for (const [organisation, folder] of asked) {
    const collection = readEverydayCollection(folder);
    measured.push([organisation, await withService((service) => measureEveryday(service, collection))]);
  }
  return measured;
}

const [folder] = positionals;
if (folder === undefined) {
  const everyday = await measureOrganisations();
  console.log(values.json ? asJson({ everyday: figuresOf(everyday) }) : everyday.map(everydayReport).join("\n"));
} else {
  const collections = readCollections(folder);
  const measured = await withService((service) => measure(service, collections));
  console.log(
    values.json ? asJson({ collections: measured }) : `${collectionsTable(measured)}\n${answersTable(measured)}`,
  );
}
