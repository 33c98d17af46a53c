import { createHash } from "node:crypto";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import type { EventSource } from "../../projections/ports.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import { searchProjection } from "../../projections/search/project.js";
import { createSearchWriter } from "../../projections/search/readModel.js";
import { runProjection } from "../../projections/runProjection.js";
import { openSqliteSearchIndexWriter } from "../../src/adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import type { DomainEvent, RecordedEvent } from "../../src/events/domainEvent.js";
import { datasourceStream, documentStream } from "../../src/events/streams.js";
import { toDatasourceId, toDatasourceName, toDocumentId } from "../../src/shared/ids.js";
import { toPosition } from "../../src/shared/position.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/** `bad`: no index takes a document without a size, so its event is parked. */
type Step =
  | { readonly kind: "index" | "bad"; readonly id: number; readonly words: readonly string[] }
  | { readonly kind: "delete"; readonly id: number }
  | { readonly kind: "define"; readonly searchable: boolean }
  | { readonly kind: "register" };

const words = fc.array(fc.constantFrom("harbour", "fog", "Müller", "running", "Verträge", "the", "x1"), {
  maxLength: 12,
});
const documents = fc.nat(8);
const anyStep = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("index" as const), id: documents, words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("bad" as const), id: documents, words }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), id: documents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("define" as const), searchable: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: "register" as const }) },
);
const tokens = new PrincipalTokens("building");
const onFailure = (error: unknown): never => {
  throw error;
};

describe("a search index that is built beside the one that is served", () => {
  it("holds what one does that commits every batch, and parks the same events", async () => {
    const { path, remove } = temporaryFolder("building");
    let built = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        async (steps, batchSize) => {
          const events = eventsOf(steps);
          const files = ["committed", "held"].map((name) => join(path, `${name}-${built}.sqlite`)) as [string, string];
          built += 1;
          await fill(files[0], {}, events, batchSize);
          await fill(files[1], { holdsMs: 60_000 }, events, batchSize);
          const [committed, held] = files.map(contentOf);
          expect(held).to.deep.equal(committed);
        },
      ),
      propertyRuns(8),
    );
    remove();
  });

  it("shows nothing of a transaction that is held, and all of it once the end of the log is reached", async () => {
    const { path, remove } = temporaryFolder("building");
    const file = join(path, "search.sqlite");
    const index = openSqliteSearchIndexWriter({ file, analyse, onFailure, holdsMs: 60_000 });
    const reader = new Database(file, { readonly: true });
    const stored = reader.prepare("SELECT position FROM checkpoints").pluck();
    const nothing = { parked: [], datasources: [], documents: [] };
    expect(await index.write({ ...nothing, after: toPosition(0), position: toPosition(7), moreToCome: true })).to.equal(
      "applied",
    );
    expect(await index.checkpoint()).to.equal(7n);
    expect(stored.get()).to.equal(undefined);
    expect(await index.write({ ...nothing, after: toPosition(7), position: toPosition(9) })).to.equal("applied");
    expect(stored.get()).to.equal(9);
    reader.close();
    index.close();
    remove();
  });
});

async function fill(
  file: string,
  options: { readonly holdsMs?: number },
  events: readonly RecordedEvent[],
  batchSize: number,
): Promise<void> {
  const index = openSqliteSearchIndexWriter({ file, analyse, onFailure, ...options });
  const stopping = new AbortController();
  const contents = {
    read: async ({ reference }: { readonly reference: { readonly sha256: string } }) =>
      texts.get(reference.sha256) ?? null,
  };
  await runProjection({
    projection: searchProjection,
    writer: createSearchWriter({ index, contents, tokens }),
    source: endingSource(events, batchSize, stopping),
    signal: stopping.signal,
    maxBatchSize: batchSize,
    onParked: () => undefined,
    onFailure,
    retryDelayMs: 0,
  });
  await wordsLetGo(file);
  index.close();
}

/** Words go with their last document, in steps between commits. */
async function wordsLetGo(file: string): Promise<void> {
  const database = new Database(file, { readonly: true });
  const left = database.prepare("SELECT count(*) FROM doubted_words").pluck();
  while (left.get() !== 0) await nextTurn();
  database.close();
}

/** Ends what subscribes once the batch that reaches the end has been applied. */
function endingSource(events: readonly RecordedEvent[], batchSize: number, stopping: AbortController): EventSource {
  return {
    head: async () => toPosition(events.length),
    holds: () => Promise.resolve(true),
    async *subscribe({ after }) {
      for (let from = Number(after); from < events.length; from += batchSize) {
        const batch = events.slice(from, from + batchSize);
        yield {
          events: batch,
          position: toPosition(from + batch.length),
          caughtUp: from + batch.length === events.length,
        };
      }
      stopping.abort();
    },
  };
}

const texts = new Map<string, string>();
const name = toDatasourceName("wiki");

function eventsOf(steps: readonly Step[]): readonly RecordedEvent[] {
  let incarnation = 0;
  const all: readonly Step[] = [{ kind: "register" }, ...steps];
  return all.map((step, index) => {
    if (step.kind === "register") incarnation += 1;
    const datasourceId = toDatasourceId(`incarnation${incarnation}`);
    const event = eventOf(step, datasourceId);
    const stream =
      event.type === "DocumentIndexed" || event.type === "DocumentDeleted"
        ? documentStream(datasourceId, event.data.documentId)
        : datasourceStream(name);
    const metadata = { at: "2024-05-01T10:00:00.000Z", by: "operator", correlationId: "c", causationId: "c" } as const;
    return { id: `event ${index}`, stream, revision: 0, position: toPosition(index + 1), event, metadata };
  });
}

function eventOf(step: Step, datasourceId: ReturnType<typeof toDatasourceId>): DomainEvent {
  const definitions = (isSearchable: boolean) => [
    {
      name: "thing",
      propertyDefinitions: [{ name: "colour", displayLabel: "colour", isSearchable, propertyType: "TEXT" as const }],
    },
  ];
  if (step.kind === "register")
    return {
      type: "DatasourceRegistered",
      data: {
        datasourceId,
        name,
        displayName: name,
        icon: null,
        subs: [],
        objectDefinitions: definitions(false),
        defaultAccess: "anonymous",
      },
    };
  if (step.kind === "define")
    return { type: "DatasourceUpdated", data: { datasourceId, objectDefinitions: definitions(step.searchable) } };
  const documentId = toDocumentId(`d${step.id}`);
  if (step.kind === "delete")
    return {
      type: "DocumentDeleted",
      data: { datasourceId, datasource: name, documentId, supersededContent: { sha256: "", bytes: 0 } },
    };
  const text = step.words.join(" ");
  const sha256 = createHash("sha256").update(text).digest("hex");
  texts.set(sha256, text);
  return {
    type: "DocumentIndexed",
    data: {
      datasourceId,
      datasource: name,
      documentId,
      title: `about ${step.words[0] ?? ""}`,
      content: { sha256, bytes: text.length },
      mimeType: "text/plain",
      size: step.kind === "bad" ? (null as unknown as number) : text.length,
      fileType: "page",
      pathPreview: null,
      path: null,
      author: null,
      lastModified: null,
      sub: null,
      childSub: null,
      access: { anonymous: step.id % 2 === 0, users: [], groups: [`g${step.id % 3}`] },
      customProperties: [{ name: "colour", value: "blue" }] as never,
      supersededContent: null,
      widenedToAnonymous: false,
    },
  };
}

/** Whatever a reader can see of it, without the numbers that rows were given. */
function contentOf(file: string): unknown {
  const database = new Database(file, { readonly: true });
  const all = (sql: string): unknown => database.prepare(sql).raw().all();
  const content = [
    all("SELECT position FROM checkpoints"),
    all("SELECT position, scope, error FROM parked_events ORDER BY position"),
    all("SELECT datasource_id, name, status, searchable FROM datasources ORDER BY datasource_id"),
    all(`SELECT s.datasource_id, d.document_id, c.tokens, d.language, d.title, d.size, d.term_count, (SELECT group_concat(text, '') FROM texts t WHERE t.part / 65536 = d.row)
         FROM documents d JOIN datasources s ON s.id = d.datasource JOIN access_classes c ON c.id = d.class WHERE s.status = 'served' ORDER BY d.document_id`),
    all("SELECT word FROM words ORDER BY word"),
    all("SELECT k.key, w.word FROM typo_keys k JOIN words w ON w.id = k.word ORDER BY 1, 2"),
    indexedTerms(file),
  ];
  database.close();
  return content;
}

/** Every place of every term, by the document that holds it. Needs a connection that may make a table. */
function indexedTerms(file: string): unknown {
  const database = new Database(file);
  database.exec("CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', 'terms', 'instance')");
  const rows = database
    .prepare(
      "SELECT d.document_id, p.term, p.col, p.offset FROM temp.places p JOIN documents d ON d.row = p.doc JOIN datasources s ON s.id = d.datasource WHERE s.status = 'served' ORDER BY 1, 2, 3, 4",
    )
    .raw()
    .all();
  database.close();
  return rows;
}
