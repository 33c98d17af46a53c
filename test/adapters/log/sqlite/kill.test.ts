import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { expect } from "chai";
import * as fc from "fast-check";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import { toDatasourceId, toDocumentId } from "../../../../src/shared/ids.js";
import {
  batchesToEnd,
  eventsOf,
  keyOf,
  newContent,
  type EventLogUnderTest,
} from "../../../contracts/eventLogFixtures.js";
import { propertyRuns } from "../../../support/propertyRuns.js";
import { logFileIn, newFolder, openLogIn } from "./temporaryLog.js";

const kills = 12;
const writers = 6;
const appendForever = fileURLToPath(new URL("./appendForever.js", import.meta.url));

describe("the SQLite event log, when its process is killed", () => {
  let folder: string;
  beforeEach(async () => {
    folder = newFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it(`keeps what was acknowledged, exactly once and in order, over ${kills} kills`, async () => {
    const acknowledged: string[] = [];
    const moment = fc.record({ lines: fc.integer({ min: 1, max: 150 }), microseconds: fc.nat(3_000) });
    await fc.assert(
      fc.asyncProperty(moment, async ({ lines, microseconds }) => {
        acknowledged.push(...(await appendUntilKilled(logFileIn(folder), lines, microseconds)));
        await expectEverything(folder, acknowledged);
      }),
      { ...propertyRuns(kills), endOnFailure: true },
    );
    expect(acknowledged.length).to.be.greaterThan(kills);
  });
});

/** Runs a process until it has acknowledged so many appends and a little longer. Answers the lines that it wrote. */
async function appendUntilKilled(file: string, lines: number, microseconds: number): Promise<string[]> {
  const child = spawn(process.execPath, [appendForever, file, String(writers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const written: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    written.push(line);
    if (written.length !== lines) continue;
    const until = performance.now() + microseconds / 1_000;
    while (performance.now() < until) continue;
    child.kill("SIGKILL");
  }
  expect(await exit).to.deep.equal([null, "SIGKILL"]);
  return written;
}

async function expectEverything(folder: string, acknowledged: readonly string[]): Promise<void> {
  const under = await openLogIn(folder);
  try {
    const events = eventsOf(await batchesToEnd(under.source));
    expectEachOnce(events, acknowledged);
    expectContiguousRevisions(events);
    await expectTexts(under, events);
  } finally {
    await under.close();
  }
  const database = new Database(logFileIn(folder), { readonly: true });
  const integrity = database.pragma("integrity_check", { simple: true });
  database.close();
  expect(integrity).to.equal("ok");
}

/**
 * Lines of one stream are written in order, and so is the log; between streams the order of acknowledgement is free.
 */
function expectEachOnce(events: readonly RecordedEvent[], acknowledged: readonly string[]): void {
  const places = events.map(({ stream, revision, id }) => `${stream} ${revision} ${id}`);
  const expected = new Set(acknowledged);
  const byStream = (lines: readonly string[]): string[] => [...lines].sort(compareStreams);
  expect(byStream(places.filter((place) => expected.has(place)))).to.deep.equal(byStream(acknowledged));
  expect(new Set(places).size).to.equal(places.length);
}

const streamOf = (line: string): string => line.slice(0, line.indexOf(" "));
const compareStreams = (a: string, b: string): number =>
  streamOf(a) < streamOf(b) ? -1 : Number(streamOf(a) > streamOf(b));

function expectContiguousRevisions(events: readonly RecordedEvent[]): void {
  const last = new Map<string, number>();
  const expected = events.map(({ stream }) => {
    last.set(stream, (last.get(stream) ?? -1) + 1);
    return last.get(stream);
  });
  expect(events.map(({ revision }) => revision)).to.deep.equal(expected);
}

/** An event and its text were written together or not at all. */
async function expectTexts({ contents }: EventLogUnderTest, events: readonly RecordedEvent[]): Promise<void> {
  const missing: string[] = [];
  for (const { id, stream } of events) {
    const documentId = toDocumentId(stream.slice(stream.indexOf(":") + 1));
    const content = newContent(`text of ${id} `.repeat(40), documentId, toDatasourceId("killed"));
    if ((await contents.read(keyOf(content))) !== content.text) missing.push(id);
  }
  expect(missing).to.deep.equal([]);
}
