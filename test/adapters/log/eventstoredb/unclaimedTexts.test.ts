import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import type { Commands, IndexDocument } from "../../../../commands/commands.js";
import { createCommands } from "../../../../commands/createCommands.js";
import { contentErasure } from "../../../../projections/contentErasure/readModel.js";
import { runProjection } from "../../../../projections/runProjection.js";
import { openEventStoreUnclaimedTexts } from "../../../../src/adapters/log/eventstoredb/openEventStoreUnclaimedTexts.js";
import { sweepTexts, type TextSweep } from "../../../../src/daemon/sweepTexts.js";
import { contentReference } from "../../../../src/events/contents.js";
import { documentStream, fileStream } from "../../../../src/events/streams.js";
import type { DatasourceId } from "../../../../src/shared/ids.js";
import { batchesToEnd, eventsOf, newEvent, type EventLogUnderTest } from "../../../contracts/eventLogFixtures.js";
import { accepted } from "../../../commands/temporaryCommands.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { commands as examples, events, operator } from "../../../support/examples.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openReadModelWriters } from "../../../support/readModelWriters.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";
import { openLogOn } from "./openLog.js";

/** Everything that was written is older than this. */
const anyAge = -60_000;
const tooYoung = 60_000;
const logger = pino({ level: "silent" });

/** One process of the service, as far as texts go. */
interface Process extends TextSweep {
  readonly commands: Commands;
  readonly under: EventLogUnderTest;
  close(): Promise<void>;
}

describe("texts on EventStoreDB for which no event has come", () => {
  let server: EventStoreDouble;
  let namespace: string;
  let ours: Process;
  let theirs: Process;
  let datasourceId: DatasourceId;
  const folder = temporaryFolder("unclaimed").path;
  after(() => rm(folder, { recursive: true }));

  async function openProcess(): Promise<Process> {
    const under = await openLogOn(server.url, namespace, undefined, 3_000);
    const { withdrawContent, ...commands } = createCommands({
      log: under.log,
      productName: "amber",
      now: () => new Date(),
    });
    const texts = openEventStoreUnclaimedTexts({ url: server.url, namespace });
    const close = async (): Promise<void> => {
      await texts.close();
      await under.close();
    };
    return { commands, under, texts, withdraw: withdrawContent, close };
  }

  beforeEach(async () => {
    server = await EventStoreDouble.start();
    namespace = newNamespace();
    ours = await openProcess();
    theirs = await openProcess();
    ({ datasourceId } = (
      await accepted(ours.commands.registerDatasource(examples.registerDatasource, operator))
    ).value);
  });
  afterEach(async () => {
    await ours.close();
    await theirs.close();
    await server.stop();
  });

  const bringing = (text: string): IndexDocument => ({
    ...examples.indexDocument,
    lastModified: null,
    body: { kind: "text", text, mimeType: "text/plain", size: text.length },
  });
  const push = (by: Process, text: string) => accepted(by.commands.indexDocument(bringing(text), operator));
  const stream = () => documentStream(datasourceId, examples.indexDocument.documentId);
  const sweep = (by: Process = ours, olderThanMs = anyAge) =>
    sweepTexts(by, { olderThanMs, logger, signal: new AbortController().signal });
  const typesOf = async (): Promise<string[]> =>
    (await ours.under.log.readStream(stream(), 0)).map(({ event }) => event.type);
  /** What texts of the document the server shows, whole or not. */
  const standing = (): string[] => {
    const names = [...new Set(server.log.entries.map((entry) => entry.stream))].filter((name) =>
      name.includes(".content-"),
    );
    return names.flatMap((name) =>
      (server.log.visible(name) ?? [])
        .filter(({ type }) => type === "TextChunk")
        .map(({ data }) => Buffer.from(data).toString()),
    );
  };

  /** A process that ends between the text and its event. */
  async function leaveBehind(text: string): Promise<void> {
    const dying = await openProcess();
    const { isHeld } = server.faults.holdNextAppendTo(stream());
    const pushed = dying.commands.indexDocument(bringing(text), operator).catch(() => "ended");
    await isHeld;
    await dying.close();
    expect(await pushed).to.equal("ended");
  }

  /** Erases what events have superseded, as the service's projector does. */
  async function erase(): Promise<void> {
    const writers = openReadModelWriters(join(folder, `${namespace}.sqlite`), { eraser: ours.under.contents });
    const stop = new AbortController();
    const end = eventsOf(await batchesToEnd(ours.under.source)).at(-1)?.position ?? 0n;
    const onFailure = (error: unknown): void => {
      throw error;
    };
    const writer = writers.contentErasure;
    const apply: typeof writer.apply = async (batch) => {
      const outcome = await writer.apply(batch);
      if (batch.position >= end) stop.abort();
      return outcome;
    };
    await runProjection({
      projection: contentErasure,
      writer: { checkpoint: () => writer.checkpoint(), apply },
      source: ours.under.source,
      signal: stop.signal,
      maxBatchSize: 100,
      retryDelayMs: 1,
      onParked: () => undefined,
      onFailure,
    });
    writers.close();
  }

  it("are erased where their document does not exist", async () => {
    await leaveBehind("left behind");
    expect(standing()).to.deep.equal(["left behind"]);
    await sweep();
    await erase();
    expect(standing()).to.deep.equal([]);
    expect(await typesOf()).to.deep.equal(["DocumentDeleted"]);
    await push(ours, "left behind");
    expect(standing()).to.deep.equal(["left behind"]);
  });

  it("are erased beside the text that their document has", async () => {
    await push(ours, "in use");
    await leaveBehind("left behind");
    await sweep();
    await erase();
    expect(standing()).to.deep.equal(["in use"]);
    const [first, second] = (await ours.under.log.readStream(stream(), 0)).map(({ event }) => event.data);
    expect({ ...second, supersededContent: null }).to.deep.equal(first);
  });

  describe("of an uploaded file", () => {
    const { fileId } = events.FileUploaded.data;
    const [content, text] = [contentReference("bytes"), contentReference("text")];
    const file = fileStream(fileId);
    const uploading = {
      ...{ stream: file, expectedRevision: "noStream" as const },
      events: [newEvent({ type: "FileUploaded", data: { ...events.FileUploaded.data, content, text } })],
      contents: [
        { stream: file, reference: content, text: "bytes" },
        { stream: file, reference: text, text: "text" },
      ],
    };
    const endings = async () =>
      (await ours.under.log.readStream(file, 0)).map(({ event }) =>
        event.type === "FileErased" ? event.data.because : event.type,
      );

    it("are erased where the upload never came", async () => {
      const dying = await openProcess();
      const { isHeld } = server.faults.holdNextAppendTo(file);
      const uploaded = dying.under.log.append(uploading).catch(() => "ended");
      await isHeld;
      await dying.close();
      expect(await uploaded).to.equal("ended");
      expect(standing()).to.have.members(["bytes", "text"]);
      await sweep();
      await erase();
      expect(standing()).to.deep.equal([]);
      expect(await endings()).to.deep.equal(["withdrawn", "withdrawn"]);
    });

    it("stay where it has", async () => {
      await ours.under.log.append(uploading);
      await sweep();
      await erase();
      expect(standing()).to.have.members(["bytes", "text"]);
      expect(await endings()).to.deep.equal(["FileUploaded"]);
    });
  });

  it("stay while they are young, and are found later", async () => {
    await leaveBehind("left behind");
    await sweep(ours, tooYoung);
    await erase();
    expect(standing()).to.deep.equal(["left behind"]);
    await sweep();
    await erase();
    expect(standing()).to.deep.equal([]);
  });

  it("stay where an event has come late", async () => {
    await leaveBehind("late");
    await push(ours, "late");
    await sweep();
    await erase();
    expect(standing()).to.deep.equal(["late"]);
    expect(await typesOf()).to.deep.equal(["DocumentIndexed"]);
  });

  for (const before of ["nothing", "another text"] as const) {
    it(`come again with the push that was under way all the time, over ${before}`, async () => {
      if (before !== "nothing") await push(ours, before);
      const { isHeld, letGo } = server.faults.holdNextAppendTo(stream());
      const pushed = push(theirs, "slow");
      await isHeld;
      await sweep();
      await erase();
      letGo();
      expect((await pushed).value.outcome).to.equal("sent");
      await erase();
      expect(standing()).to.deep.equal(["slow"]);
      expect((await ours.under.log.readLast(stream()))?.event).to.have.nested.property("data.content.bytes", 4);
    });
  }

  it("are looked for by one process at a time, and once", async () => {
    await leaveBehind("left behind");
    const signal = new AbortController().signal;
    const visited: string[] = [];
    const isFirst = await ours.texts.sweep(
      anyAge,
      async ({ reference }) => {
        visited.push(reference.sha256);
        expect(await theirs.texts.sweep(anyAge, () => Promise.reject(new Error("twice")), signal)).to.equal(false);
      },
      signal,
    );
    expect({ isFirst, texts: visited.length }).to.deep.equal({ isFirst: true, texts: 1 });
    expect(await theirs.texts.sweep(anyAge, () => Promise.reject(new Error("again")), signal)).to.equal(true);
  });

  it("are given out again where they could not be dealt with", async () => {
    await leaveBehind("left behind");
    const signal = new AbortController().signal;
    const failure = await ours.texts
      .sweep(anyAge, () => Promise.reject(new Error("the log is away")), signal)
      .catch((error: Error) => error.message);
    expect(failure).to.equal("the log is away");
    const visited: number[] = [];
    await theirs.texts.sweep(anyAge, async ({ reference }) => void visited.push(reference.bytes), signal);
    expect(visited).to.deep.equal(["left behind".length]);
  });

  it("are none of another tenant's, nor those that events refer to", async () => {
    const other = await openLogOn(server.url, `${namespace}x`);
    const commands = createCommands({ log: other.log, productName: "amber", now: () => new Date() });
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
    server.faults.holdNextAppendTo(`${namespace}x.document-`);
    const waiting = commands.indexDocument(bringing("theirs"), operator).catch(() => undefined);
    await push(ours, "first");
    await push(ours, "second");
    await push(ours, "first");
    const reads = server.faults.calls.get("read") ?? 0;
    await ours.texts.sweep(anyAge, () => Promise.reject(new Error("none")), new AbortController().signal);
    expect((server.faults.calls.get("read") ?? 0) - reads).to.be.below(6);
    await other.close();
    await waiting;
  });
});
