import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { DiskFull } from "../../src/shared/failures.js";
import { CommandLine } from "../cli/commandLine.js";
import { eventually } from "../support/pauses.js";
import { ApiClient } from "../support/apiClient.js";
import { createPerson, createServiceAccount, ServerProcess } from "../support/serverProcess.js";

describe("a full disk", function () {
  let folder: string;
  let server: ServerProcess;
  let indexing: ApiClient;
  let isMounted = false;

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), "full-disk-"));
    // A small file system of its own; not everybody may mount one.
    isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder]).status === 0;
    if (!isMounted) this.skip();
    server = await ServerProcess.start(folder, { DISK_RESERVE_BYTES: "0" });
    indexing = await createServiceAccount(folder, server.url);
    expect((await indexing.post("/api/indexing/datasources", { name: "wiki" })).status).to.equal(200);
  });
  after(async () => {
    await server?.kill();
    if (isMounted) execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });

  const filler = (): string => fillerIn(folder);
  /** What the service tidies away meanwhile makes a little room: it is taken again. */
  const withoutRoom = <Value>(ask: () => Promise<Value>): Promise<Value> => {
    fill(folder);
    return ask();
  };
  const push = (id: string): ReturnType<ApiClient["post"]> =>
    indexing.post("/api/indexing/documents", {
      documents: {
        ...{ datasource: "wiki", id, title: id, file_type: "page" },
        body: { mime_type: "text/plain", text_content: `${id} `.repeat(2_000) },
      },
    });
  const metric = async (name: string): Promise<string | undefined> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return new RegExp(`^enterprise_search_${name} (.*)$`, "m").exec(text)?.[1];
  };
  const readiness = async (): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`${server.url}/health/ready`);
    return { status: answer.status, body: await answer.json() };
  };

  it("is told to whoever writes, to balancers and in metrics, and is over as soon as there is room", async () => {
    expect((await push("before")).status).to.equal(200);
    expect(await metric("disk_full")).to.equal("0");
    let next = 0;
    const pushWithoutRoom = (): ReturnType<typeof push> => withoutRoom(() => push(`during-${next++}`));
    const refused = await eventually(pushWithoutRoom, ({ status }) => status !== 200);
    expect(refused.status, JSON.stringify(refused.body)).to.equal(503);
    expect(refused.headers.get("retry-after")).to.match(/^\d+$/);
    expect(JSON.stringify(refused.body)).to.include("disk").and.include("full");
    const unready = await eventually(
      () => withoutRoom(readiness),
      ({ status }) => status !== 200,
    );
    expect(unready).to.deep.equal({ status: 503, body: { status: "disk_full" } });
    await eventually(
      () => withoutRoom(() => metric("disk_full")),
      (value) => value === "1",
    );
    await eventually(
      () => withoutRoom(() => metric("disk_free_bytes")),
      (bytes) => Number(bytes) < 1024 ** 2,
    );

    for (let refusals = 0; refusals < 30;) if ((await pushWithoutRoom()).status === 503) refusals++;
    const lines = server.errors().match(/A request failed/g) ?? [];
    expect(lines.length, "lines of thirty refused requests").to.be.within(1, 6);

    rmSync(filler());
    const written = await eventually(
      () => push("after"),
      ({ status }) => status === 200,
    );
    expect(written.status).to.equal(200);
    expect(await eventually(readiness, ({ status }) => status === 200)).to.deep.equal({
      status: 200,
      body: { status: "ready" },
    });
    await eventually(
      () => metric("disk_full"),
      (value) => value === "0",
    );
    expect((await push("before")).status).to.equal(200);
  });

  it("is told to whoever uploads more than there is room for, and nothing of it stays", async () => {
    const { credential } = await createPerson(folder, server.url, "ada@example.org");
    const upload = async (bytes: number): Promise<Response> => {
      const form = new FormData();
      form.append("file", new Blob([Buffer.alloc(bytes, "a word ")], { type: "text/plain" }), "words.txt");
      const headers = { authorization: `Bearer ${credential ?? ""}` };
      const address = `${server.url}/api/beta/files/upload?type=document`;
      const answer = await fetch(address, { method: "POST", headers, body: form });
      await answer.arrayBuffer();
      return answer;
    };
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    writeFileSync(filler(), Buffer.alloc(free - roomLeft));
    const refused = await upload(2 * roomLeft);
    expect([refused.status, refused.headers.has("retry-after")], server.errors()).to.deep.equal([503, true]);
    expect(existsSync(join(folder, "uploads")) ? readdirSync(join(folder, "uploads")) : []).to.deep.equal([]);
    rmSync(filler());
    await eventually(
      () => upload(10_000),
      ({ status }) => status === 200,
    );
  });
});

describe("the room that is kept on a disk", () => {
  let folder: string;
  let server: ServerProcess | null = null;
  let isMounted = false;

  beforeEach(async function () {
    folder = await mkdtemp(join(tmpdir(), "reserved-disk-"));
    isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=128m", "tmpfs", folder]).status === 0;
    if (!isMounted) this.skip();
    server = await ServerProcess.start(folder, reserved);
  });
  afterEach(async () => {
    await server?.kill();
    server = null;
    if (isMounted) execFileSync("umount", ["--lazy", folder]);
    await rm(folder, { recursive: true, force: true });
  });

  const started = (): ServerProcess => {
    if (server === null) throw new Error("The service does not run.");
    return server;
  };
  const reserveBytes = (): number => statSync(join(folder, "disk-reserve"), { throwIfNoEntry: false })?.size ?? 0;

  it("is left by documents and uploads, so that a revocation can still be written, also after a restart", async () => {
    let indexing = await createServiceAccount(folder, started().url);
    const user = { datasource: "wiki", user: { email: "ada@example.org" } };
    expect((await indexing.post("/api/indexing/datasources", { name: "wiki" })).status).to.equal(200);
    expect((await indexing.post("/api/indexing/users", user)).status).to.equal(200);
    const { credential } = await createPerson(folder, started().url, "ada@example.org");
    const push = (id: string, words: number): ReturnType<ApiClient["post"]> =>
      indexing.post("/api/indexing/documents", {
        documents: {
          ...{ datasource: "wiki", id, title: "Words", file_type: "page" },
          body: { mime_type: "text/plain", text_content: "word ".repeat(words) },
        },
      });
    expect((await push("small", 10)).status).to.equal(200);
    const { bavail, bsize } = statfsSync(folder);
    // What is kept counts as free.
    const room = bavail * bsize + reserveBytes() - reserveAsked;
    writeFileSync(fillerIn(folder), Buffer.alloc(room - roomLeft));
    const refused = await eventually(
      () => push("large", roomLeft / 5),
      ({ status }) => status !== 200,
    );
    expect(refused.status).to.equal(503);
    expect(JSON.stringify(refused.body)).to.include("The disk of the service is full");
    const search = (): Promise<{ status: number }> =>
      fetch(`${started().url}/api/beta/search?query=words`, {
        headers: { authorization: `Bearer ${credential ?? ""}` },
      });
    expect((await fetch(`${started().url}/health/ready`)).status).to.equal(200);
    expect((await search()).status).to.equal(200);
    await started().kill();
    server = await ServerProcess.start(folder, reserved);
    indexing = indexing.at(server.url);
    expect((await push("large", roomLeft / 5)).status).to.equal(503);
    expect((await search()).status).to.equal(200);
    expect((await indexing.delete("/api/indexing/users/wiki/ada@example.org")).status).to.equal(200);
    const { status, body } = await indexing.post<{ has_access: boolean }>("/api/indexing/documents/check-access", {
      ...{ datasource: "wiki", document_id: "small", user_email: "ada@example.org" },
    });
    expect([status, body.has_access]).to.deep.equal([200, false]);
  });

  it("is given up where others fill the disk: people sign in and search, also after a restart", async () => {
    await eventually(
      () => Promise.resolve(reserveBytes()),
      (bytes) => bytes >= 32_000_000,
    );
    const atFirst = reserveBytes();
    const { credential } = await onceThereIsRoom(() => createPerson(folder, started().url, "bob@example.org"));
    const password = "six words for whoever tests this";
    const account = ["account", "create", "--email", "carol@example.org", "--password-stdin"];
    const makeAccount = () => CommandLine.onFolderOf({ dataDir: folder }).start(account, {}, password).ended;
    const made = await eventually(makeAccount, ({ code, stderr }) => code === 0 || !stderr.includes("full"));
    expect(made.code, made.stderr).to.equal(0);
    const signIn = async (): Promise<number> =>
      (await new ApiClient(started().url, null).post("/api/session", { email: "carol@example.org", password })).status;
    const search = (): Promise<Response> =>
      fetch(`${started().url}/api/beta/search?query=words`, {
        headers: { authorization: `Bearer ${credential ?? ""}` },
      });
    // What a process gives back when it ends may be kept again.
    let least = atFirst;
    for (const end of ["none", "SIGTERM", "SIGKILL"] as const) {
      fill(folder);
      if (end !== "none") {
        await (end === "SIGTERM" ? started().terminate() : started().kill());
        fill(folder);
        server = await ServerProcess.start(folder, reserved);
      }
      expect((await search()).status, end).to.equal(200);
      expect(await eventually(signIn, (status) => status === 200), end).to.equal(200);
      least = Math.min(least, reserveBytes());
    }
    const takeMore = async (): Promise<number> => {
      fill(folder);
      await signIn();
      return Math.min(least, reserveBytes());
    };
    await eventually(takeMore, (bytes) => bytes < atFirst);
    rmSync(fillerIn(folder));
    await eventually(
      () => Promise.resolve(reserveBytes()),
      (bytes) => bytes >= atFirst,
    );
  });
});

/** Projections that are behind take what is free; the reserve gives way a step a second, also for who asks again. */
async function onceThereIsRoom<Made>(make: () => Promise<Made>): Promise<Made> {
  for (;;)
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof DiskFull)) throw error;
    }
}

const reserveAsked = 67_108_864;
const reserved = { DISK_RESERVE_BYTES: String(reserveAsked) };
const fillerIn = (folder: string): string => join(folder, "filler");

function fill(folder: string): void {
  const file = openSync(fillerIn(folder), "a");
  try {
    for (const bytes of [1 << 20, 1 << 12, 1]) writeUntilFull(file, Buffer.alloc(bytes));
  } finally {
    closeSync(file);
  }
}

/** More than the service takes for a full disk, and less than an upload may have. */
const roomLeft = 4_000_000;

/** Where a file system is full, it takes fewer bytes than it was given, or none. */
function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
