import { hash, randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { createCommands } from "../../commands/createCommands.js";
import { expireFiles } from "../../src/daemon/expireFiles.js";
import { FollowedFiles, ServedFiles } from "../../src/daemon/uploadedFiles.js";
import type { FileErased } from "../../src/events/file.js";
import type { FileId } from "../../src/shared/ids.js";
import { openTemporaryLog } from "../adapters/log/sqlite/temporaryLog.js";
import { openLogOn } from "../adapters/log/eventstoredb/openLog.js";
import { accepted } from "../commands/temporaryCommands.js";
import { batchesToEnd, eventsOf, type EventLogUnderTest } from "../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../support/eventStoreDb/eventStoreDouble.js";
import { alice, bob, commands as examples, operator } from "../support/examples.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { namedEngines } from "../support/namedEngines.js";
import { newNamespace } from "../support/newNamespace.js";

const logger = pino({ level: "silent" });
const dayMs = 24 * 60 * 60_000;
const began = Date.parse("2026-01-01T00:00:00.000Z");
const running = new AbortController().signal;

/** Uploads, lists and expiry over one log. `open` gives a fresh one. */
function followsFiles(open: () => Promise<EventLogUnderTest>): void {
  let under: EventLogUnderTest;
  let clock = began;
  const folder = temporaryFolder("files");
  after(folder.remove);
  const opened: FollowedFiles[] = [];

  /** What one process has: each of them follows the log for itself. */
  function openProcess() {
    const followed = new FollowedFiles(under.source, logger);
    opened.push(followed);
    followed.start();
    const { log, source, contents } = under;
    const extractor = {
      extract: () =>
        Promise.resolve({ kind: "text", text: "What it says.", facts: { mimeType: "application/pdf" } } as const),
    };
    const commands = createCommands({ log, productName: "amber", now: () => new Date(clock), extractor });
    const files = new ServedFiles({ log, source, contents, followed, patienceMs: 5_000 });
    const upload = async (bytes = randomBytes(10), owner = alice): Promise<FileId> => {
      const content = { sha256: hash("sha256", bytes), bytes: bytes.length };
      const path = join(folder.path, randomUUID());
      writeFileSync(path, bytes);
      const file = { ...examples.uploadFile, owner, path, content };
      return (await accepted(commands.uploadFile(file, operator))).value;
    };
    const listed = async (owner = alice): Promise<readonly FileId[]> => {
      const page = await files.list(owner, { after: "", count: 100, atLeast: null });
      return page.ok ? page.value.files.map(({ fileId }) => fileId) : expect.fail(page.error.type);
    };
    const expire = async (days: number): Promise<void> => {
      await followed.reached(await source.head(), 5_000);
      const expiry = { files: followed, expire: commands.expireFile, ttlMs: days * dayMs, logger, now: () => clock };
      await expireFiles(expiry, running);
    };
    return { commands, files, upload, listed, expire };
  }

  const events = async () => eventsOf(await batchesToEnd(under.source, { categories: ["file"] }));
  const endings = async () =>
    (await events()).flatMap(({ event }) => (event.type === "FileErased" ? [(event as FileErased).data.because] : []));

  beforeEach(async () => {
    clock = began;
    under = await open();
  });
  afterEach(async () => {
    for (const followed of opened.splice(0)) await followed.stop();
    await under.close();
  });

  it("tell every process of a file at once, and its owner alone", async () => {
    const [one, other] = [openProcess(), openProcess()];
    const first = await one.upload();
    clock++;
    const second = await other.upload();
    const bobs = await one.upload(randomBytes(5), bob);
    for (const process of [one, other]) {
      expect(await process.listed()).to.deep.equal([second, first]);
      expect(await process.listed(bob)).to.deep.equal([bobs]);
      expect(await process.files.readText(alice, first)).to.equal("What it says.");
      expect(await process.files.readText(bob, first)).to.equal(null);
      expect((await process.files.find(alice, first))?.uploadedAt).to.equal(new Date(began).toISOString());
    }
    await accepted(other.commands.eraseFile({ fileId: first, owner: alice }, operator));
    for (const process of [one, other]) {
      expect(await process.listed()).to.deep.equal([second]);
      expect(await process.files.find(alice, first)).to.equal(null);
    }
  });

  it("expire when their time is over, and not before", async () => {
    const process = openProcess();
    await process.upload();
    clock += 10 * dayMs;
    const young = await process.upload();
    clock += 20 * dayMs - 1;
    await process.expire(30);
    expect(await process.listed()).to.have.length(2);
    clock++;
    await process.expire(30);
    expect(await process.listed()).to.deep.equal([young]);
    expect(await endings()).to.deep.equal(["expired"]);
  });

  it("expire once, whoever looks, and however often a process begins again", async () => {
    const [one, other] = [openProcess(), openProcess()];
    for (let number = 0; number < 20; number++) await one.upload();
    clock += 30 * dayMs;
    await Promise.all([one.expire(30), other.expire(30), one.expire(30)]);
    await openProcess().expire(30);
    expect(await endings()).to.deep.equal(Array.from({ length: 20 }, () => "expired"));
    expect(await other.listed()).to.deep.equal([]);
  });

  it("do not hinder each other's expiry where one cannot be erased now", async () => {
    const process = openProcess();
    const fileId = await process.upload();
    clock += 30 * dayMs;
    await expireFiles(
      {
        files: { uploadedUpTo: () => [fileId].values() as Generator<FileId, void, void> },
        expire: () => Promise.reject(new Error("The log is away.")),
        ttlMs: 0,
        logger,
        now: () => clock,
      },
      running,
    );
    await process.expire(30);
    expect(await endings()).to.deep.equal(["expired"]);
  });
}

describe("uploaded files, followed in the log", () => {
  describe("on SQLite", () => {
    followsFiles(openTemporaryLog);
  });

  describe("on EventStoreDB", () => {
    let server: EventStoreDouble;
    before(async () => (server = await EventStoreDouble.start()));
    after(() => server.stop());
    followsFiles(() => openLogOn(server.url, newNamespace()));
  });

  const url = namedEngines["EVENTSTORE_URL"] ?? "";
  (url === "" ? describe.skip : describe)("on the EventStoreDB that EVENTSTORE_URL names", () => {
    followsFiles(() => openLogOn(url, newNamespace()));
  });
});
