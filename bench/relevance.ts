import { parseArgs } from "node:util";
import Table from "cli-table3";
import { startServiceProcess } from "./processes.js";
import { readCollections, type RelevanceCollection } from "./relevanceCollections.js";
import { measuredAnswers, scoreAnswer, type AnswersMeasured, type AskedAnswers } from "./relevanceAnswers.js";
import { meanScores, scoreResults, type RelevanceScores } from "./relevanceScores.js";

const usage = `npm run bench:relevance -- DIR [--json] [--base-url URL --service-account TOKEN --api-key KEY --person EMAIL]

Asks every question of every collection in DIR through HTTP, all collections in one tenant, each question filtered to its
collection's datasource, and has the extractive model answer it by passages of that datasource. Starts a service of its
own, unless --base-url names one that runs: an empty one.`;

const person = "relevance@example.org";
const documentsPerRequest = 100;
const longestTitle = 1_024;
const questionsInFlight = 4;

interface Service {
  readonly url: string;
  readonly serviceAccount: string;
  readonly apiKey: string;
  readonly person: string;
  stop(): Promise<void>;
}

interface Measured extends RelevanceScores {
  readonly collection: string;
  readonly documents: number;
  readonly questions: number;
  readonly answers: AnswersMeasured;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    "base-url": { type: "string" },
    "service-account": { type: "string" },
    "api-key": { type: "string" },
    person: { type: "string" },
  },
});

async function measure(collections: readonly RelevanceCollection[]): Promise<readonly Measured[]> {
  const service = await connect();
  try {
    let token = "";
    for (const collection of collections) token = await push(service, collection);
    const measured: Measured[] = [];
    for (const collection of collections) measured.push(await ask(service, collection, token));
    return measured;
  } finally {
    await service.stop();
  }
}

async function connect(): Promise<Service> {
  const { "base-url": url, "service-account": serviceAccount, "api-key": apiKey } = values;
  if (url === undefined) {
    const started = await startServiceProcess();
    return {
      url: started.url,
      serviceAccount: started.serviceAccount,
      apiKey: await started.createKey(person),
      person,
      stop: () => started.stop(),
    };
  }
  if (serviceAccount === undefined || apiKey === undefined || values.person === undefined) throw new Error(usage);
  return { url, serviceAccount, apiKey, person: values.person, stop: () => Promise.resolve() };
}

const datasourceOf = (collection: RelevanceCollection): string =>
  `relevance_${collection.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")}`;
/** The collections' own ids may hold characters that a document id must not. */
const documentId = (index: number): string => `d${index}`;

/** Answers with the consistency token of the last write. */
async function push(service: Service, collection: RelevanceCollection): Promise<string> {
  const datasource = datasourceOf(collection);
  await write(service, "/api/indexing/datasources", { name: datasource, display_name: collection.name });
  let token = await write(service, "/api/indexing/users", { datasource, user: { email: service.person } });
  const documents = collection.documents.map(({ title, text }, index) => ({
    datasource,
    id: documentId(index),
    title: title === "" ? "-" : title.slice(0, longestTitle),
    body: { mime_type: "text/plain", text_content: text },
    file_type: "page",
  }));
  for (let start = 0; start < documents.length; start += documentsPerRequest) {
    token = await write(service, "/api/indexing/documents", {
      documents: documents.slice(start, start + documentsPerRequest),
    });
  }
  return token;
}

async function write(service: Service, path: string, body: unknown): Promise<string> {
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${service.serviceAccount}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const failed = answer.ok && path.endsWith("/documents") ? / ([1-9]\d*) failed/.exec(text) : null;
  if (!answer.ok || failed !== null) throw new Error(`POST ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return answer.headers.get("x-consistency-token") ?? "";
}

async function ask(service: Service, collection: RelevanceCollection, token: string): Promise<Measured> {
  const datasource = datasourceOf(collection);
  const idOf = new Map(collection.documents.map(({ id }, index) => [`${datasource}__${documentId(index)}`, id]));
  const paragraphs = new Map(collection.documents.map((document) => [document.id, document]));
  const asked: AskedAnswers = {
    ...{ datasource, get: (path) => get(service, path, token) },
    paragraphOf: (id) => paragraphs.get(idOf.get(id) ?? ""),
  };
  const scores = await inTurns(collection.questions, async (question) => ({
    results: scoreResults(
      (await search(service, question.text, datasource, token)).map((id) => idOf.get(id) ?? ""),
      question.gains,
    ),
    answer: await scoreAnswer(asked, question),
  }));
  return {
    collection: collection.name,
    documents: collection.documents.length,
    questions: scores.length,
    ...meanScores(scores.map(({ results }) => results)),
    answers: measuredAnswers(scores.map(({ answer }) => answer)),
  };
}

/** Some questions at a time; the outcomes in their order. */
async function inTurns<Question, Outcome>(
  questions: readonly Question[],
  work: (question: Question) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const waiting = questions.entries();
  const outcomes: Outcome[] = [];
  const workOn = async (): Promise<void> => {
    for (const [at, question] of waiting) outcomes[at] = await work(question);
  };
  await Promise.all(Array.from({ length: questionsInFlight }, workOn));
  return outcomes;
}

async function search(service: Service, query: string, datasource: string, token: string): Promise<readonly string[]> {
  const parameters = new URLSearchParams({ query, count: "10", data_source: datasource }).toString();
  const answer = (await get(service, `/api/beta/search?${parameters}`, token)) as {
    results: readonly { id: string }[];
  };
  return answer.results.map(({ id }) => id);
}

/** The service answers 503 while it is still behind the token: then asks again, as a client would. */
async function get(service: Service, path: string, token: string): Promise<unknown> {
  for (;;) {
    const answer = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${service.apiKey}`, "x-consistency-token": token },
    });
    if (answer.ok) return answer.json();
    const text = await answer.text();
    if (answer.status !== 503) throw new Error(`GET ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  }
}

function report(measured: readonly Measured[]): void {
  if (values.json) {
    console.log(
      JSON.stringify({ node: process.version, measuredAt: new Date().toISOString(), collections: measured }, null, 2),
    );
    return;
  }
  const table = new Table({
    head: ["collection", "documents", "questions", "MRR@10", "nDCG@10", "recall@10"],
    style: { head: [], border: [] },
  });
  for (const { collection, documents, questions, reciprocalRank, discountedGain, recall } of measured) {
    table.push([
      collection,
      documents,
      questions,
      reciprocalRank.toFixed(4),
      discountedGain.toFixed(4),
      recall.toFixed(4),
    ]);
  }
  console.log(table.toString());
  console.log(answersTable(measured).toString());
}

/** What answers of the extractive model hold. */
function answersTable(measured: readonly Measured[]): Table.Table {
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
  return table;
}

const [folder] = positionals;
if (folder === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  report(await measure(readCollections(folder)));
}
