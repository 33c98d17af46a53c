import { EventStoreDBClient } from "@eventstore/db-client";
import { expect } from "chai";
import type { NewContent } from "../../../../commands/ports.js";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { toPosition, type Position } from "../../../../src/shared/position.js";
import { idOf } from "../../../../src/events/streams.js";
import {
  appended,
  datasourceId,
  keyOf,
  newContent,
  newEvents,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../../../support/eventStoreDb/eventStoreDouble.js";
import { openLogOn } from "./openLog.js";
import { newNamespace } from "../../../support/newNamespace.js";

/** What the two writes of a text and its event leave behind where a process ends between them. */
describe("texts on EventStoreDB", () => {
  let server: EventStoreDouble;
  let under: EventLogUnderTest;
  let namespace: string;
  beforeEach(async () => {
    server = await EventStoreDouble.start();
    namespace = newNamespace();
    under = await openLogOn(server.url, namespace, undefined, 6_000);
  });
  afterEach(async () => {
    await under.close();
    await server.stop();
  });

  const large = newContent("eins zwei drei ".repeat(200_000), "doc-1");
  const bringing = (content: NewContent) => ({
    stream: content.stream,
    expectedRevision: "noStream" as const,
    events: newEvents("indexed"),
    contents: [content],
  });
  const streamOf = ({ stream, reference }: NewContent): string =>
    `${namespace}.content-${idOf(stream)}:${reference.sha256}`;
  const entriesOf = (content: NewContent) => server.log.visible(streamOf(content)) ?? [];

  /** Ends the writer after the first part of the text. */
  async function leaveHalfWritten(content: NewContent): Promise<void> {
    const other = await openLogOn(server.url, namespace, undefined, 3_000);
    server.log.failAfter = 1;
    await other.log.append(bringing(content)).catch(() => undefined);
    server.log.failAfter = null;
    await other.close();
    expect(entriesOf(content)).to.have.length(2);
  }

  it("are invisible while they are half-written, and gone on with by the next append that brings them", async () => {
    await leaveHalfWritten(large);
    expect(await under.contents.read(keyOf(large))).to.equal(null);
    const written = server.log.entries.length;
    await appended(under.log, bringing(large));
    expect(await under.contents.read(keyOf(large))).to.equal(large.text);
    const chunks = entriesOf(large).filter(({ type }) => type === "TextChunk");
    expect(chunks.map(({ data }) => data.length).reduce((a, b) => a + b, 0)).to.equal(large.reference.bytes);
    expect(server.log.entries.length - written).to.equal(chunks.length);
  });

  it("are erased with their datasource though half-written, and no event ever referred to them", async () => {
    await leaveHalfWritten(large);
    await under.contents.eraseDatasource(datasourceId);
    expect(entriesOf(large)).to.deep.equal([]);
  });

  it("do not stay where their event was refused", async () => {
    await appended(under.log, bringing(newContent("first", "doc-1")));
    expect((await under.log.append(bringing(large))).kind).to.equal("conflict");
    expect(entriesOf(large)).to.deep.equal([]);
  });

  it("are not touched by an append whose document turns out to be there already with the same text", async () => {
    const content = newContent("first", "doc-1");
    await appended(under.log, bringing(content));
    const written = server.log.entries.length;
    expect(await under.log.append(bringing(content))).to.deep.equal({ kind: "conflict", actualRevision: 0 });
    expect(server.log.entries.length).to.equal(written);
  });

  it("do not stay where their event is more than this server takes, or is refused for good", async () => {
    const content = newContent("first", "doc-1");
    server.log.maxAppendBytes = 2_000;
    const outcome = await under.log.append({ ...bringing(content), events: newEvents("x".repeat(2_000)) });
    expect(outcome).to.include({ kind: "tooLarge", maxBytes: 2_000 });
    expect(entriesOf(content)).to.deep.equal([]);
    const client = EventStoreDBClient.connectionString(server.url);
    await client.tombstoneStream(`${namespace}.${bringing(content).stream}`);
    await client.dispose();
    const failure = await under.log.append(bringing(content)).catch((error: Error) => error.message);
    expect(failure).to.contain("deleted for good");
    expect(entriesOf(content)).to.deep.equal([]);
  });

  it("are written once where the acknowledgement of the text or of its event is lost", async () => {
    for (const [index, how] of (["silence", "timeout", "drop"] as const).entries()) {
      const content = newContent(`text ${how}`, `doc-${how}`);
      server.faults.loseAcknowledgements(2, how);
      await appended(under.log, bringing(content));
      expect(await under.contents.read(keyOf(content)), how).to.equal(content.text);
      expect(entriesOf(content), String(index)).to.have.length(2);
    }
  });

  it("are written together by processes that bring the same one at once", async () => {
    const others = await Promise.all([1, 2, 3].map(() => openLogOn(server.url, namespace)));
    const outcomes = await Promise.all([under, ...others].map(({ log }) => log.append(bringing(large))));
    expect(outcomes.filter(({ kind }) => kind === "appended")).to.have.length(1);
    expect(await under.contents.read(keyOf(large))).to.equal(large.text);
    await Promise.all(others.map((other) => other.close()));
  });

  it("stay below the size that the server takes", async () => {
    await appended(under.log, bringing(large));
    expect(Math.max(...entriesOf(large).map(({ data }) => data.length))).to.be.below(512 * 1024);
  });

  describe("that a server knows nothing of", () => {
    const unknown = newContent("unknown", "doc-9");
    /** What is asked while the server has not seen the newest event, and answered once it has. */
    async function answeredLate<Answer>(ask: (seenElsewhere: Position) => Promise<Answer>): Promise<Answer> {
      await appended(under.log, bringing(large));
      let isAnswered = false;
      const seenElsewhere = toPosition((await under.source.head()) + 1n);
      const answer = ask(seenElsewhere).finally(() => (isAnswered = true));
      const reads = server.faults.calls.get("read") ?? 0;
      while ((server.faults.calls.get("read") ?? 0) < reads + 4) await new Promise((resolve) => setImmediate(resolve));
      expect(isAnswered).to.equal(false);
      await appended(under.log, bringing(newContent("more", "doc-8")));
      return answer;
    }

    it("are not taken for erased while it has not come as far as the event that refers to them", async () => {
      expect(await answeredLate((position) => under.contents.read(keyOf(unknown), position))).to.equal(null);
    });

    it("are not taken for erased where they have to be", async () => {
      await answeredLate((position) => under.contents.erase(keyOf(unknown), position));
    });

    it("are not taken for all texts of a datasource", async () => {
      await answeredLate((position) => under.contents.eraseDatasource(datasourceId, position));
      expect(entriesOf(large)).to.deep.equal([]);
    });

    it("are said to be out of reach where it does not come so far", async () => {
      const head = toPosition((await under.source.head()) + 1n);
      const failure = await under.contents.read(keyOf(unknown), head).catch((error: Error) => error);
      expect(failure).to.be.instanceOf(EngineUnavailable);
    });
  });

  it("show no more once erased, to any client of the server", async () => {
    const { position } = await appended(under.log, bringing(large));
    await under.contents.erase(keyOf(large), position);
    const client = EventStoreDBClient.connectionString(server.url);
    const left: unknown[] = [];
    try {
      for await (const { event } of client.readStream(streamOf(large))) left.push(event);
    } catch (error) {
      left.push((error as Error).constructor.name);
    }
    await client.dispose();
    expect(left).to.deep.equal(["StreamNotFoundError"]);
  });
});
