import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { ok } from "../../src/shared/result.js";
import { usualPatience } from "../../src/http/server.js";
import { startAppWithFakes, type AppUnderTest, type Fakes } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

const head = (path: string, ...lines: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: search", "Authorization: Bearer account", ...lines, "\r\n"].join("\r\n");
const datasources = "/api/indexing/datasources";

describe("requests that are sent ahead of their answers", () => {
  let app: AppUnderTest;
  let connection: RawConnection;
  const start = async (fakes: Fakes): Promise<void> => {
    app = await startAppWithFakes(fakes);
    connection = await RawConnection.open(app.url);
  };
  afterEach(async () => {
    connection.destroy();
    await app.stop();
  });

  /** Answers with so many bytes. */
  const listOf = (bytes: number) => {
    const datasource = {
      ...{ datasourceId: "1", name: "wiki", displayName: "x".repeat(bytes), icon: null },
      ...{ subs: [], objectDefinitions: [] },
    };
    let asked = 0;
    const listDatasources = () => {
      asked++;
      return Promise.resolve(ok([datasource as never]));
    };
    return { queries: { listDatasources }, asked: () => asked };
  };

  it("are answered in order, one after the other, and between those of others", async () => {
    const count = 1_000;
    let running = 0;
    let most = 0;
    let answered = 0;
    const isReady = async (): Promise<boolean> => {
      most = Math.max(most, ++running);
      await nextTurn();
      running--;
      answered++;
      return true;
    };
    await start({
      dependencies: {
        readiness: async () => ({ isReady: await isReady(), waitsFor: [], threadsAway: [], isStopping: false }),
      },
    });
    void connection.send(head("/health/ready").repeat(count));
    const hasBegun = (): boolean => answered > 0;
    while (!hasBegun()) await nextTurn();
    expect((await fetch(`${app.url}/health/live`)).status).to.equal(200);
    expect(answered).to.be.lessThan(count);
    void connection.send(head("/nowhere"));
    const answers = await connection.until(/404 Not Found/);
    expect(answers.match(/HTTP\/1.1 200 OK/g)).to.have.length(count);
    expect(most).to.equal(1);
  });

  it("are not even begun while their client does not take the answers", async () => {
    const { queries, asked } = listOf(1_048_576);
    await start({ queries });
    connection.stopReading();
    void connection.send(head(datasources).repeat(500));
    for (let turn = 0; turn < 200; turn++) await fetch(`${app.url}/health/live`);
    expect(asked()).to.be.within(1, 30);
  });

  it("are not read any further while many wait", async () => {
    const { queries } = listOf(20_000_000);
    await start({ queries });
    connection.stopReading();
    const sent = connection.send(head(datasources).repeat(400_000));
    const outcome = await Promise.race([sent.then(() => "taken"), turns(300).then(() => "waiting")]);
    expect(outcome).to.equal("waiting");
  });

  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await fetch(`${app.url}/health/live`);
  };
});

describe("a client that does not take its answer", () => {
  let app: AppUnderTest;
  afterEach(() => app.stop());
  const bytes = 20_000_000;
  const queries = {
    findDatasource: () =>
      Promise.resolve(
        ok({
          ...{ datasourceId: "1", name: "wiki", displayName: "x".repeat(bytes), icon: null },
          ...{ subs: [], objectDefinitions: [] },
        } as never),
      ),
  };
  const asking = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(app.url);
    connection.stopReading();
    await connection.send(head(`${datasources}/wiki`, "Connection: close"));
    return connection;
  };
  const answered = async (count: number): Promise<void> => {
    while (app.logLines.filter(({ route }) => route === `${datasources}/{name}`).length < count)
      await fetch(`${app.url}/health/live`);
  };

  it("is cut after a while", async () => {
    const limits = { ...usualPatience, answerMs: 200, bodyBytesPerSecond: 1_000_000_000, checkEveryMs: 20 };
    app = await startAppWithFakes({ queries, patience: limits });
    const connection = await asking();
    await answered(1);
    await app.stop();
    connection.goOnReading();
    expect((await connection.untilClosed()).length).to.be.lessThan(bytes);
  });

  it("is cut, the largest first, where all together leave more unsent than may be", async () => {
    const limits = { ...usualPatience, mostUnsentBytes: 50_000_000, checkEveryMs: 20 };
    app = await startAppWithFakes({ queries, patience: limits });
    const connections = await Promise.all(Array.from({ length: 5 }, asking));
    await answered(5);
    for (let turn = 0; turn < 200; turn++) await fetch(`${app.url}/health/live`);
    for (const connection of connections) connection.goOnReading();
    const received = await Promise.all(connections.map((connection) => connection.untilClosed()));
    expect(received.filter(({ length }) => length > bytes).length).to.be.within(1, 3);
  });
});
