import { expect } from "chai";
import { endlessPatience, type Patience } from "../../src/http/server.js";
import { ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

/** Long enough for a busy machine to send what is quick, short enough to be waited for. */
const patience: Patience = {
  headMs: 60_000,
  bodyBytesPerSecond: 1_000_000,
  bodyPeriodMs: 400,
  answerMs: 400,
  mostUnsentBytes: 30_000_000,
  checkEveryMs: 20,
};

const head = (path: string, ...lines: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: search",
    "Authorization: Bearer account",
    "Content-Type: application/json",
    ...lines,
    "\r\n",
  ].join("\r\n");

describe("a slow client", () => {
  let app: AppUnderTest;
  beforeEach(async () => {
    app = await startAppWithFakes({
      patience,
      commands: { indexDocuments: () => Promise.resolve({ value: [], position: null }) as never },
      intake: { read: () => Promise.resolve(ok({ form: "array", documents: [], refused: [] })) },
    });
  });
  afterEach(() => app.stop());

  const answerTo = async (...pieces: readonly string[]): Promise<string> => {
    const connection = await RawConnection.open(app.url);
    for (const piece of pieces) await connection.send(piece);
    return connection.untilClosed();
  };

  it("is told so, and cut, where its head does not come", async () => {
    await app.stop();
    app = await startAppWithFakes({ patience: { ...patience, headMs: 1_000 } });
    for (const begun of ["POST /api/indexing/users HTTP/1.1\r\nHost: sea", ""])
      expect(await answerTo(begun)).to.match(/^(HTTP\/1.1 408 Request Timeout\r\n[^]*\{"detail":"[^"]+"\}|)$/);
    expect(await answerTo("POST / HTTP/1.1\r\nHost: sea")).to.match(/^HTTP\/1.1 408 /);
  });

  for (const [what, path] of [
    ["a small body", "/api/indexing/users"],
    ["documents", "/api/indexing/documents"],
  ] as const) {
    it(`is told so, and cut, where ${what} does not come`, async () => {
      expect(await answerTo(head(path, "Content-Length: 900000"))).to.match(
        /^HTTP\/1.1 408 Request Timeout\r\n[^]*"detail":"The body came too slowly: at least 1000000 bytes a second/,
      );
    });

    it(`is told so, and cut, where ${what} comes in a trickle`, async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(head(path, "Transfer-Encoding: chunked"));
      const trickling = setInterval(() => void connection.send("1\r\n[\r\n"), 10);
      const answer = await connection.untilClosed();
      clearInterval(trickling);
      expect(answer).to.match(/^HTTP\/1.1 408 /);
    });
  }

  it("has a whole period from its first request on, however long the service has run", async () => {
    const begun = performance.now();
    await answerTo(head("/api/indexing/documents", "Content-Length: 900000"));
    expect(performance.now() - begun).to.be.least(patience.bodyPeriodMs);
  });

  it("is cut where it does not send the rest of a body that nobody wants", async () => {
    const answer = await answerTo(head("/nowhere", "Content-Length: 60000"));
    expect(answer)
      .to.match(/^HTTP\/1.1 404 /)
      .and.not.contain("HTTP/1.1 408");
  });

  it("is not who waits for an answer, or asks for nothing", async () => {
    await app.stop();
    let answer: () => void = () => undefined;
    const decided = new Promise<void>((resolve) => (answer = resolve));
    const readiness = () => decided.then(() => ({ isReady: true, waitsFor: [], threadsAway: [], isStopping: false }));
    app = await startAppWithFakes({ patience: { ...patience, headMs: 1_000 }, dependencies: { readiness } });
    const [waiting, idle] = [await RawConnection.open(app.url), await RawConnection.open(app.url)];
    await idle.send("GET /health/live HTTP/1.1\r\nHost: search\r\n\r\n");
    await idle.until(/alive/);
    await waiting.send("GET /health/ready HTTP/1.1\r\nHost: search\r\n\r\n");
    // Another client is cut meanwhile, so that as much time has passed.
    for (let times = 0; times < 2; times++) await answerTo("GET / HTTP/1.1\r\nHost");
    answer();
    await waiting.until(/ready/);
    await idle.send("GET /nowhere HTTP/1.1\r\nHost: search\r\n\r\n");
    await idle.until(/404/);
    for (const connection of [waiting, idle]) connection.destroy();
  });
});

describe("a client of a service that has nobody else", () => {
  it("may be as slow as the machine is", async () => {
    const app = await startAppWithFakes({
      patience: { ...endlessPatience, bodyPeriodMs: 1, checkEveryMs: 1 },
      commands: { registerUser: () => Promise.resolve(ok({ value: null, position: null })) as never },
    });
    const connection = await RawConnection.open(app.url);
    const body = JSON.stringify({ datasource: "wiki", user: { email: "ada@example.org" } });
    const [begun, rest] = [head("/api/indexing/users", `Content-Length: ${body.length}`), body];
    for (const piece of [begun.slice(0, 20), begun.slice(20), rest.slice(0, 5)]) {
      await connection.send(piece);
      // Each is an answer, and many looks at who is late.
      for (let turn = 0; turn < 20; turn++) await fetch(`${app.url}/health/live`);
    }
    await connection.send(rest.slice(5));
    expect(await connection.until(/\}$/)).to.match(/^HTTP\/1\.1 200 /);
    connection.destroy();
    await app.stop();
  });
});
