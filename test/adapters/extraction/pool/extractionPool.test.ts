import { expect } from "chai";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Extraction } from "../../../../commands/ports.js";
import { ExtractionPool, type ExtractionPoolOptions } from "../../../../src/adapters/extraction/pool/extractionPool.js";
import { contentReference } from "../../../../src/events/contents.js";
import { carriedString } from "../../../../src/shared/carriedText.js";
import { ExtractionBusy } from "../../../../src/shared/failures.js";
import { temporaryFolder } from "../../../support/temporaryFolder.js";

const crashed = "The file ended the process that read it: it is damaged.";

const nextLook = (): Promise<void> => pause(5);
/** One that has ended may be listed until somebody has asked how. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

describe("the pool of processes that read files", () => {
  const opened: ExtractionPool[] = [];
  const endings: string[] = [];

  const open = (options: Partial<ExtractionPoolOptions> = {}): ExtractionPool => {
    const pool = new ExtractionPool({
      limits: { maxCharacters: 20_000_000, ocrLanguages: null },
      timeoutMs: 60_000,
      memoryMb: 256,
      concurrency: 1,
      maxWaiting: 64,
      entry: new URL("./misbehavingProcess.js", import.meta.url),
      onEnded: (ending) => endings.push(ending),
      ...options,
    });
    opened.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pool) => pool.close()));
    endings.length = 0;
  });

  const read = (pool: ExtractionPool, name: string, bytes: Uint8Array = Buffer.from("Hello"), asker?: object) =>
    pool.extract({ content: bytes, mimeType: "text/plain", charset: null, name }, asker);
  const textOf = (extraction: Extraction): string =>
    extraction.kind === "text" ? carriedString(extraction.text) : JSON.stringify(extraction);
  const pidOf = async (pool: ExtractionPool): Promise<number> => Number(textOf(await read(pool, "pid")));

  it("gives the text, what it is known by, and the facts", async () => {
    expect(await read(open(), "echo", Buffer.from("Grüße"))).to.deep.equal({
      kind: "text",
      text: "Grüße",
      content: contentReference("Grüße"),
      facts: { mimeType: "text/plain" },
    });
  });

  it("carries large files there and their texts back, in memory that threads share", async () => {
    const text = "äöü ".repeat(1_000_000);
    const extraction = await read(open(), "echo", Buffer.from(text));
    if (extraction.kind !== "text" || typeof extraction.text === "string") return expect.fail("There are no bytes.");
    expect(extraction.text.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(extraction.content).to.deep.equal(contentReference(text));
    expect(carriedString(extraction.text) === text).to.equal(true);
  });

  it("takes bytes that lie in shared memory", async () => {
    const bytes = Buffer.from(new SharedArrayBuffer(3_000_000)).fill("x");
    expect(textOf(await read(open(), "echo", bytes))).to.have.lengthOf(3_000_000);
  });

  it("reads a file of this machine by its path", async () => {
    const path = join(temporaryFolder("pool").path, "note");
    writeFileSync(path, "On disk");
    const file = { mimeType: "text/plain", charset: null, name: null };
    const pool = open();
    expect(textOf(await pool.extract({ ...file, content: { path } }))).to.equal("On disk");
    expect(await pool.extract({ ...file, content: { path: `${path}-gone` } })).to.deep.equal({
      kind: "unextractable",
      reason: "The file is not there any more.",
    });
  });

  it("starts nothing before the first file, and keeps a process for the next", async () => {
    const pool = open();
    const first = await pidOf(pool);
    expect(await pidOf(pool)).to.equal(first);
    expect(endings).to.deep.equal([]);
  });

  it("replaces a process after so many files", async () => {
    const pool = open({ filesPerProcess: 2 });
    const pids = [await pidOf(pool), await pidOf(pool), await pidOf(pool)];
    expect(pids[1]).to.equal(pids[0]);
    expect(pids[2]).not.to.equal(pids[0]);
  });

  it("keeps a process that gives back what a large file took", async () => {
    const pool = open();
    const large = Buffer.alloc(150_000_000);
    const pids = [await pidOf(pool)];
    for (let file = 0; file < 2; file++) pids.push(Number(textOf(await read(pool, "pid", large))), await pidOf(pool));
    expect(new Set(pids).size).to.equal(1);
  });

  it("hands no variable of the environment on", async () => {
    expect(textOf(await read(open(), "environment"))).to.equal("{}");
  });

  it("lets no text through that nothing can keep", async () => {
    expect(await read(open(), "nul")).to.deep.equal({ kind: "unstorable" });
  });

  const broken: readonly (readonly [string, string, string, Partial<ExtractionPoolOptions>])[] = [
    ["that loops", "loop", "Reading took longer than 0.5 s.", { timeoutMs: 500 }],
    ["that waits for ever", "wait", "Reading took longer than 0.5 s.", { timeoutMs: 500 }],
    ["that eats buffers", "buffers", "Reading it took more than 128 MB of memory.", { memoryMb: 128 }],
    ["that fills the heap", "heap", "Reading it took more than 128 MB of memory.", { memoryMb: 128 }],
    ["that exits", "exit", crashed, {}],
    ["that dies by a signal", "signal", crashed, {}],
    ["in which nobody catches an error", "throwLater", crashed, {}],
    ["whose reader breaks its promise", "reject", crashed, {}],
    ["that answers garbage", "garbage", crashed, {}],
    ["that answers what is no JSON", "garbledJson", crashed, {}],
  ];
  for (const [what, name, reason, options] of broken) {
    it(`ends a process ${what}, tells why, and reads the next file in another`, async () => {
      const pool = open(options);
      const before = await pidOf(pool);
      expect(await read(pool, name)).to.deep.equal({ kind: "unextractable", reason });
      expect(endings).to.have.lengthOf(1);
      expect(await pidOf(pool)).not.to.equal(before);
      expect(isRunning(before)).to.equal(false);
    });
  }

  it("goes on with other files while one is stuck", async () => {
    const pool = open({ concurrency: 2 });
    const stuck = read(pool, "wait").catch((error: unknown) => error);
    for (let index = 0; index < 20; index++) expect(textOf(await read(pool, "echo"))).to.equal("Hello");
    await pool.close();
    expect(await stuck).to.be.instanceOf(ExtractionBusy);
  });

  it("lets askers take turns, and reads what is one asker's in order", async () => {
    const pool = open();
    const order: string[] = [];
    const ask = (asker: object, label: string) =>
      read(pool, "echo", Buffer.from(label), asker).then(() => order.push(label));
    const [many, other] = [{}, {}];
    await Promise.all(
      [..."abcd"].map((label) => ask(many, label)).concat(["x", "y"].map((label) => ask(other, label))),
    );
    expect(order.join("")).to.equal("abxcyd");
  });

  it("turns an asker away where too many wait, and none that was let in", async () => {
    const pool = open({ maxWaiting: 1 });
    const large = {};
    const asked = Promise.all([1, 2, 3].map(() => read(pool, "echo", undefined, large)));
    const refused = await read(pool, "echo").catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ExtractionBusy).and.to.include({ retryAfterSeconds: 5 });
    expect((await asked).map(textOf)).to.deep.equal(["Hello", "Hello", "Hello"]);
    expect(textOf(await read(pool, "echo"))).to.equal("Hello");
  });

  it("leaves the files of those who have gone, who take nobody's place", async () => {
    const pool = open({ maxWaiting: 1 });
    const first = read(pool, "echo");
    let hasGone = false;
    const gone = read(pool, "echo", undefined, { isAbandoned: () => hasGone }).catch((error: unknown) => error);
    hasGone = true;
    expect(textOf(await read(pool, "echo", Buffer.from("who waits"), {}))).to.equal("who waits");
    expect(await gone).to.be.instanceOf(ExtractionBusy);
    expect(textOf(await first)).to.equal("Hello");
  });

  it("says so where no process can be started", async () => {
    const refused = await read(open({ entry: new URL("./nothing.js", import.meta.url) }), "echo").catch(
      (error) => error,
    );
    expect(refused).to.be.instanceOf(ExtractionBusy);
    expect(endings).to.deep.equal(["notStarted"]);
  });

  for (const deed of ["echo", "wait", "loop"]) {
    it(`leaves no process behind where the service is killed, with one that does this: ${deed}`, async () => {
      const owner = spawn(process.execPath, [fileURLToPath(new URL("./poolOwnerProcess.js", import.meta.url)), deed], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = (await once(owner.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      expect(isRunning(pid)).to.equal(true);
      owner.kill("SIGKILL");
      while (isRunning(pid)) await nextLook();
    });
  }

  it("ends its processes with itself, and those that have long had nothing to do", async () => {
    const pool = open();
    const pid = await pidOf(pool);
    await pool.close();
    expect(isRunning(pid)).to.equal(false);
    const idle = await pidOf(open({ idleMs: 1 }));
    while (isRunning(idle)) await nextLook();
  });
});
