import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { UploadFolder } from "../../src/adapters/files/uploadFolder.js";
import { usualPatience } from "../../src/http/server.js";
import { ok } from "../../src/shared/result.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { roomyDisk, startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

const maxBodyBytes = 2_000_000;
const largest = Buffer.alloc(maxBodyBytes, " ");
const head = (...lines: readonly string[]): string =>
  [
    "POST /api/indexing/documents HTTP/1.1",
    "Host: search",
    "Authorization: Bearer account",
    "Content-Type: application/json",
    ...lines,
    "\r\n",
  ].join("\r\n");
const largestHead = head(`Content-Length: ${maxBodyBytes}`);

describe("large bodies", () => {
  const folder = temporaryFolder("bodies");
  let app: AppUnderTest;
  let authenticated: number;
  /** Bodies that have come to the intake, by whoever sent them, and not left it. */
  let inIntake: string[];
  /** Opens the intake, which holds every body until then. */
  let open: () => void;
  let readFromFile: number[];

  beforeEach(async () => {
    authenticated = 0;
    inIntake = [];
    readFromFile = [];
    const opened = new Promise<void>((resolve) => (open = resolve));
    app = await startAppWithFakes({
      commands: { indexDocuments: () => Promise.resolve({ value: [], position: null }) as never },
      intake: {
        readFile: async (path, { holder }) => {
          inIntake.push(holder);
          readFromFile.push((await readFile(path)).length);
          await opened;
          inIntake.splice(inIntake.indexOf(holder), 1);
          return ok({ form: "array", documents: [], refused: [] });
        },
      },
      dependencies: { uploads: new UploadFolder(folder.path) },
      // However busy the machine is, nobody here is taken for a slow client.
      patience: { ...usualPatience, bodyPeriodMs: 600_000 },
      onAuthenticate: () => authenticated++,
    });
  });
  afterEach(async () => {
    open();
    await app.stop();
    expect(readdirSync(join(folder.path, "uploads"))).to.deep.equal([]);
  });
  after(() => folder.remove());

  const push = async (token = "account"): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return (await fetch(`${app.url}/api/indexing/documents`, { method: "POST", headers, body: largest })).status;
  };
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await fetch(`${app.url}/health/live`);
  };
  const connect = async (text: string, count: number): Promise<readonly RawConnection[]> => {
    const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(app.url)));
    const expected = authenticated + count;
    for (const connection of connections) await connection.send(text);
    await until(() => authenticated === expected);
    return connections;
  };

  it("of one credential, however many they are, leave memory for another's", async () => {
    const holding = Array.from({ length: 3 }, () => push());
    await until(() => authenticated === 3 && inIntake.length === 1);
    const others = push("limited");
    await until(() => inIntake.length === 2);
    expect(inIntake).to.have.members(["c1", "c2"]);
    open();
    expect(await Promise.all([...holding, others])).to.deep.equal([200, 200, 200, 200]);
  });

  it("that come slowly hold up nobody's", async () => {
    open();
    const slow = await connect(largestHead, 3);
    for (const connection of slow) await connection.send(largest.subarray(0, 1_500_000));
    expect(await Promise.all([push(), push("limited")])).to.deep.equal([200, 200]);
    for (const connection of slow) connection.destroy();
  });

  it("are refused where what has come of others of the same credential is its share of the disk", async () => {
    const many = await connect(largestHead, 5);
    for (const connection of many) await connection.send(largest.subarray(0, 1_900_000));
    const answers = many.map((connection) => connection.until(/^HTTP\/1.1 503 [^]*"detail":"[^"]*for you/));
    await Promise.any(answers);
    open();
    expect(await push("limited")).to.equal(200);
    for (const connection of many) connection.destroy();
  });

  it("give back what they wait for when their client goes away", async () => {
    const holding = Array.from({ length: 2 }, () => push());
    await until(() => authenticated === 2 && inIntake.length === 1);
    const waiting = await connect(largestHead, 4);
    for (const connection of waiting) void connection.send(largest);
    await until(() => true);
    for (const connection of waiting) connection.destroy();
    open();
    expect(await Promise.all(holding)).to.deep.equal([200, 200]);
    // As soon as it has been noticed that they are gone.
    for (const times of [1, 2, 3]) while ((await push()) === 503) expect(times).to.be.below(4);
  });

  it("hold nothing for what has not come, whether their length is said or not", async () => {
    open();
    const silent = await connect(largestHead, 3);
    const begun = await connect(`${head("Transfer-Encoding: chunked")}1\r\n[\r\n`, 3);
    expect(await push()).to.equal(200);
    for (const connection of [...silent, ...begun]) connection.destroy();
  });

  it("do not hold up the end of the service when their client is gone", async () => {
    const holding = Array.from({ length: 2 }, () => push());
    await until(() => authenticated === 2 && inIntake.length === 1);
    const waiting = await connect(largestHead, 4);
    for (const connection of waiting) void connection.send(largest);
    await until(() => true);
    for (const connection of waiting) connection.destroy();
    open();
    await Promise.all(holding);
    await app.stop();
  });

  const answerTo = async (body: string, isChunked: boolean): Promise<unknown> => {
    const answer = await fetch(`${app.url}/api/indexing/documents`, {
      method: "POST",
      headers: { authorization: "Bearer account", "content-type": "application/json" },
      body: isChunked ? new Blob([body]).stream() : body,
      duplex: "half",
    });
    const { detail } = (await answer.json()) as { detail: readonly { loc: unknown; type: string }[] };
    return [answer.status, detail[0]?.type, detail[0]?.loc];
  };

  it("that are larger than the largest are told so in the standard envelope", async () => {
    const body = `{"documents": {"body": {"binary_base64": "${"A".repeat(2_100_000)}"}}}`;
    for (const isChunked of [false, true])
      expect(await answerTo(body, isChunked)).to.deep.equal([422, "bytes_too_long", ["body"]]);
    expect(readFromFile).to.deep.equal([]);
    open();
    expect(await Promise.all([push(), push(), push()])).to.deep.equal([200, 200, 200]);
  });

  it("arrive whole, whatever pieces they come in", async () => {
    const text = JSON.stringify({ documents: "0123456789".repeat(150_000) });
    const received: Buffer[] = [];
    await app.stop();
    app = await startAppWithFakes({
      commands: { indexDocuments: () => Promise.resolve({ value: [], position: null }) as never },
      intake: {
        readFile: async (path) => {
          received.push(await readFile(path));
          return ok({ form: "array", documents: [], refused: [] });
        },
      },
      dependencies: { uploads: new UploadFolder(folder.path) },
    });
    for (const size of [text.length, 1_048_576, 70_001, 65_536, 13_007]) {
      const connection = await RawConnection.open(app.url);
      await connection.send(head("Transfer-Encoding: chunked"));
      for (let at = 0; at < text.length; at += size) {
        const piece = text.slice(at, at + size);
        await connection.send(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      }
      await connection.send("0\r\n\r\n");
      await connection.until(/^HTTP\/1.1 200/);
      connection.destroy();
      expect(received.pop()?.equals(Buffer.from(text)), `in pieces of ${size}`).to.equal(true);
    }
  });

  it("are 503 where the disk has no room for them", async () => {
    await app.stop();
    app = await startAppWithFakes({
      dependencies: {
        uploads: new UploadFolder(folder.path),
        disk: { ...roomyDisk, hasRoomFor: () => Promise.resolve(false) },
      },
    });
    expect(await push()).to.equal(503);
  });
});
