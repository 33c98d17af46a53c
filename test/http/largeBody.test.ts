import { expect } from "chai";
import type { DocumentIntake } from "../../src/http/ports.js";
import { patience } from "../../src/http/slowClients.js";
import { ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
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
  let app: AppUnderTest;
  let authenticated: number;
  /** Bodies that have come to the intake. */
  let taken: number;
  /** Opens the intake, which holds every body until then. */
  let open: () => void;

  beforeEach(async () => {
    authenticated = 0;
    taken = 0;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const read: DocumentIntake["read"] = async () => {
      taken++;
      await opened;
      return ok({ form: "array", documents: [], refused: [] });
    };
    app = await startAppWithFakes({
      commands: { indexDocuments: () => Promise.resolve({ value: [], position: null }) as never },
      dependencies: {
        intake: { read },
        config: {
          maxBodyBytes,
          maxBinaryBytes: 1_000_000,
          maxUploadBytes: 100_000,
          metricsToken: null,
          rateLimitPerMinute: null,
          productName: "amber",
          publicUrl: null,
          role: "all",
          trustedProxies: 0,
        },
      },
      // However busy the machine is, nobody here is taken for a slow client.
      patience: { ...patience, bodyPeriodMs: 600_000 },
      onAuthenticate: () => authenticated++,
    });
  });
  afterEach(() => app.stop());

  const push = async (): Promise<number> => {
    const headers = { authorization: "Bearer account", "content-type": "application/json" };
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

  it("give back the memory that they wait for when their client goes away", async () => {
    const holding = Array.from({ length: 6 }, push);
    await until(() => authenticated === 6 && taken >= 2);
    const waiting = await connect(largestHead, 4);
    for (const connection of waiting) void connection.send(largest);
    await until(() => true);
    for (const connection of waiting) connection.destroy();
    open();
    expect(await Promise.all(holding)).to.deep.equal(Array.from(holding, () => 200));
    expect(await Promise.all([push(), push()])).to.deep.equal([200, 200]);
  });

  it("hold no memory for what has not come, whether their length is said or not", async () => {
    open();
    const silent = await connect(largestHead, 3);
    const begun = await connect(`${head("Transfer-Encoding: chunked")}1\r\n[\r\n`, 3);
    expect(await push()).to.equal(200);
    for (const connection of [...silent, ...begun]) connection.destroy();
  });

  it("do not hold up the end of the service when their client is gone", async () => {
    const holding = Array.from({ length: 6 }, push);
    await until(() => authenticated === 6 && taken >= 2);
    const waiting = await connect(largestHead, 4);
    for (const connection of waiting) void connection.send(largest);
    await until(() => true);
    for (const connection of waiting) connection.destroy();
    open();
    await Promise.all(holding);
    await app.stop();
  });

  const withBinary = (bytes: number, before = ""): string =>
    `{"documents": {${before}"body": {"mime_type": "text/plain", "binary_base64": "${Buffer.alloc(bytes).toString("base64")}"}}}`;
  const answerTo = async (body: string, isChunked: boolean): Promise<[number, unknown]> => {
    const answer = await fetch(`${app.url}/api/indexing/documents`, {
      method: "POST",
      headers: { authorization: "Bearer account", "content-type": "application/json" },
      body: isChunked ? new Blob([body]).stream() : body,
      duplex: "half",
    });
    const { detail } = (await answer.json()) as { detail: string | readonly { loc: unknown; type: string }[] };
    return [answer.status, typeof detail === "string" ? null : [detail[0]?.type, detail[0]?.loc]];
  };
  const oversized = [422, ["bytes_too_long", ["body", "documents", "body", "binary_base64"]]];

  it("that hold one oversized binary are told so, also where they are too large to be held", async () => {
    for (const isChunked of [false, true]) {
      expect(await answerTo(withBinary(1_600_000), isChunked)).to.deep.equal(oversized);
      expect(await answerTo(withBinary(9_000_000), isChunked)).to.deep.equal(oversized);
      const text = `"title": ${JSON.stringify('"{['.repeat(450_000))}, `;
      expect(await answerTo(withBinary(900_000, text), isChunked)).to.deep.equal([413, null]);
      const array = `{"documents": [${withBinary(1_600_000)}]}`;
      expect(await answerTo(array, isChunked)).to.deep.equal([413, null]);
    }
    expect(taken).to.equal(0);
  });

  it("that are too large give back what they held of the memory", async () => {
    open();
    await Promise.all(Array.from({ length: 6 }, () => answerTo(withBinary(1_600_000), true)));
    expect(await Promise.all([push(), push(), push()])).to.deep.equal([200, 200, 200]);
  });

  it("arrive whole, whatever pieces they come in", async () => {
    const text = JSON.stringify({ documents: "0123456789".repeat(150_000) });
    const received: Buffer[] = [];
    await app.stop();
    app = await startAppWithFakes({
      commands: { indexDocuments: () => Promise.resolve({ value: [], position: null }) as never },
      dependencies: {
        intake: {
          read: async (blocks) => {
            received.push(Buffer.concat(blocks));
            return ok({ form: "array", documents: [], refused: [] });
          },
        },
      },
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
});
