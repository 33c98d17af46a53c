import { expect } from "chai";
import type { ContentErasureChange, ErasureStore } from "../../../projections/contentErasure/ports.js";
import { createContentErasureWriter, contentErasure } from "../../../projections/contentErasure/readModel.js";
import { EngineUnavailable } from "../../../projections/ports.js";
import type { ContentReference, DocumentIndexed } from "../../../src/events/document.js";
import type { DomainEvent } from "../../../src/events/domainEvent.js";
import { documentStream, fileStream } from "../../../src/events/streams.js";
import { toDatasourceId, toDocumentId, type DatasourceId } from "../../../src/shared/ids.js";
import { beginning, toPosition } from "../../../src/shared/position.js";
import { eventsOn } from "../../support/accessLanguage.js";
import { events } from "../../support/examples.js";
import { deliver, projectionScenarios } from "../../support/givenProjection.js";
import { recordEvents } from "../../support/recordEvents.js";
import { RecordingEraser } from "../../support/readModelWriters.js";
import { readModelEngines, type ReadModelEngine } from "../../support/readModelEngines.js";

const scenariosOn = (engine: ReadModelEngine) =>
  projectionScenarios<unknown, RecordingEraser["erased"]>(async () => {
    const eraser = new RecordingEraser();
    const readModels = await engine.open({ eraser });
    return {
      projection: contentErasure as never,
      writer: readModels.writers.contentErasure as never,
      rows: () => eraser.erased,
      close: () => readModels.close(),
    };
  });

const wiki = eventsOn("wiki");
const { datasourceId, datasource } = wiki;
const documentId = toDocumentId("page");
const text = (letter: string): ContentReference => ({ sha256: letter.repeat(64), bytes: 10 });
const keyOf = (letter: string, of: DatasourceId = datasourceId) => ({
  stream: documentStream(of, documentId),
  reference: text(letter),
});
const indexed = (letter: string, superseded: string | null = null): DocumentIndexed => ({
  type: "DocumentIndexed",
  data: {
    datasourceId,
    datasource: datasource.name,
    documentId,
    title: "Page",
    content: text(letter),
    mimeType: "text/plain",
    size: 10,
    fileType: "page",
    pathPreview: null,
    path: null,
    author: null,
    lastModified: null,
    sub: null,
    childSub: null,
    access: { anonymous: true, users: [], groups: [] },
    customProperties: [],
    supersededContent: superseded === null ? null : text(superseded),
    widenedToAnonymous: false,
  },
});
const deleted = (letter: string): DomainEvent => ({
  type: "DocumentDeleted",
  data: { datasourceId, datasource: datasource.name, documentId, supersededContent: text(letter) },
});

describe("contentErasure", () => {
  for (const engine of readModelEngines) engine.describe(() => contentErasureSuite(engine));
});

function contentErasureSuite(engine: ReadModelEngine): void {
  const given = scenariosOn(engine);

  it("leaves alone what is current", () => given([indexed("a"), indexed("a")]).then([]));

  it("erases what was replaced, before the event that replaced it", () =>
    given([indexed("a"), indexed("b", "a")]).then([{ key: keyOf("a"), before: toPosition(4) }]));

  it("erases what was deleted", () =>
    given([indexed("a"), deleted("a")]).then([{ key: keyOf("a"), before: toPosition(4) }]));

  it("erases text and bytes of an erased file, and nothing of one that is there", () => {
    const { FileUploaded: uploaded, FileErased: erased } = events;
    const { fileId, contents } = erased.data;
    return given([uploaded, erased]).then(
      contents.map((reference) => ({ key: { stream: fileStream(fileId), reference }, before: toPosition(4) })),
    );
  });

  it("erases the texts of a deleted datasource", () =>
    given([wiki.opened(), indexed("a"), wiki.deleted()]).then([datasourceId]));

  it("erases a text that was written while its datasource was being deleted, also after a restart", async () => {
    const late = { key: keyOf("b"), before: toPosition(102) };
    await given([wiki.opened(), wiki.deleted(), indexed("b")]).then([datasourceId, { ...late, before: toPosition(6) }]);
    const eraser = new RecordingEraser();
    const readModels = await engine.open({ eraser });
    await deliver(
      { projection: contentErasure, writer: readModels.writers.contentErasure },
      recordEvents([wiki.opened(), wiki.deleted()]),
    );
    await readModels.restartWriters();
    await deliver(
      { projection: contentErasure, writer: readModels.writers.contentErasure },
      recordEvents([indexed("b")], 100),
    );
    expect(eraser.erased).to.deep.equal([datasourceId, late]);
    await readModels.close();
  });

  describe("with more datasources than it remembers", () => {
    const many = Array.from({ length: 2_500 }, (_, index) => toDatasourceId(`datasource${index}`));
    const written = (id: DatasourceId): ContentErasureChange => ({
      kind: "textWritten",
      datasourceId: id,
      key: keyOf("a", id),
      position: toPosition(1),
    });
    const removed = (id: DatasourceId): ContentErasureChange => ({
      kind: "datasourceDeleted",
      datasourceId: id,
      position: beginning,
    });
    const batch = (changes: readonly ContentErasureChange[]) => ({
      after: beginning,
      position: toPosition(1),
      parked: [],
      changes,
    });
    /** Remembers what was closed, and which questions it was asked. */
    function rememberingStore() {
      const [closed, asked] = [new Set<DatasourceId>(), [] as DatasourceId[]];
      const store: ErasureStore = {
        checkpoint: () => Promise.resolve(beginning),
        isClosed: (id) => Promise.resolve((asked.push(id), closed.has(id))),
        write: ({ closed: ids }) => Promise.resolve((ids.forEach((id) => closed.add(id)), "applied" as const)),
      };
      return { store, asked };
    }

    it("asks again about those that it has long not met, and only about those", async () => {
      const { store, asked } = rememberingStore();
      const writer = createContentErasureWriter(store, new RecordingEraser());
      for (const id of [...many, ...many]) await writer.apply(batch([written(id)]));
      expect(asked).to.have.length(2 * many.length);
      await writer.apply(batch([written(many.at(-1) as DatasourceId)]));
      expect(asked).to.have.length(2 * many.length);
    });

    it("erases what was written behind any deletion, in the same batch or later", async () => {
      const { store } = rememberingStore();
      const eraser = new RecordingEraser();
      const writer = createContentErasureWriter(store, eraser);
      const late = (id: DatasourceId): object => ({ key: keyOf("a", id), before: toPosition(1) });
      await writer.apply(batch([...many.map(removed), ...many.map(written)]));
      await writer.apply(batch(many.map(written)));
      expect(eraser.erased).to.deep.equal([...many, ...many.map(late), ...many.map(late)]);
    });
  });

  it("erases nothing for an event that is parked", () =>
    given([deleted("a"), wiki.deleted()])
      .parked()
      .then([]));

  it("asks to be tried again, and keeps its checkpoint, where erasing fails", async () => {
    const eraser = new RecordingEraser();
    eraser.erase = () => Promise.reject(new Error("disk full"));
    const readModels = await engine.open({ eraser });
    const { contentErasure: writer } = readModels.writers;
    const error = await deliver({ projection: contentErasure, writer }, recordEvents([deleted("a")])).catch(
      (caught: unknown) => caught,
    );
    expect(error).to.be.instanceOf(EngineUnavailable);
    expect(await writer.checkpoint()).to.equal(beginning);
    await readModels.close();
  });
}
