import { expect } from "chai";
import type { Datasource } from "../../src/events/datasource.js";
import { toDatasourceAnswer } from "../../src/api/datasources.js";
import { toMetadataAnswer } from "../../src/api/searchAnswer.js";
import { usualPatience } from "../../src/http/server.js";
import { jsonWithText } from "../../src/http/streamedAnswers.js";
import { failed, ok } from "../../src/shared/result.js";
import { startAppWithFakes, type AppUnderTest } from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

const details = {
  ...{ id: "wiki__book", title: 'The "book"', datasource: "wiki", sub: null, childSub: null, fileType: "page" },
  ...{ path: null, pathPreview: null, author: null, lastModified: null, mimeType: "text/plain", size: 1 },
  ...{ customProperties: [], indexedAt: "2026-01-01T00:00:00.000Z" },
} as never;
const path = "/api/beta/document/metadata?document_id=wiki__book&include_text_content=true";
const request = `GET ${path} HTTP/1.1\r\nHost: search\r\nAuthorization: Bearer key\r\nConnection: close\r\n\r\n`;

const listRequest =
  "GET /api/indexing/datasources HTTP/1.1\r\nHost: search\r\nAuthorization: Bearer account\r\nConnection: close\r\n\r\n";

describe("a long text", () => {
  let app: AppUnderTest;
  let asked = 0;
  afterEach(() => app.stop());

  /** Serves a text of these parts. */
  const serve = async (
    count: number,
    partAt: (part: number) => string | null,
    limits = usualPatience,
  ): Promise<void> => {
    asked = 0;
    const part = (number: number) => {
      asked++;
      const text = partAt(number);
      return text === null ? null : { text, parts: count };
    };
    app = await startAppWithFakes({
      patience: limits,
      queries: {
        findDocument: () => Promise.resolve(ok({ details, text: part(0) })),
        findTextPart: ({ id, part: number }) => {
          const found = part(number);
          return Promise.resolve(found === null ? failed({ type: "DocumentNotFound", id }) : ok(found));
        },
      },
    });
  };
  const get = (): Promise<Response> => fetch(`${app.url}${path}`, { headers: { authorization: "Bearer key" } });

  it("is byte for byte the same JSON as in one piece", async () => {
    const parts = ['\u0000"\\\u007f', "ä😀".repeat(40_000), "\ud800x", "", "\u2028 end"];
    await serve(parts.length, (number) => parts[number] ?? null);
    const answer = await get();
    expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
    expect((await answer.text()) === JSON.stringify(toMetadataAnswer(details, parts.join("")))).to.equal(true);
    const whole = [];
    for await (const piece of jsonWithText({}, "text", (async function* () {})())) whole.push(piece);
    expect(whole.join("")).to.equal('{"text":""}');
  });

  it("is read as fast as it is taken, by however many, and no one who takes it is cut", async () => {
    const [count, readers] = [150, 10];
    // All together would be 150 MB; nobody may leave more unsent than a few pieces.
    const limits = { ...usualPatience, mostUnsentBytes: 4_000_000, checkEveryMs: 5 };
    await serve(count, () => "x".repeat(100_000), limits);
    const connections = await Promise.all(
      Array.from({ length: readers }, async () => {
        const connection = await RawConnection.open(app.url);
        connection.stopReading();
        await connection.send(request);
        return connection;
      }),
    );
    for (let turn = 0; turn < 60; turn++) await fetch(`${app.url}/health/live`);
    expect(asked).to.be.within(readers, (readers * count) / 2);
    const [first, second, ...others] = connections;
    for (const other of others) other.destroy();
    for (const connection of [first, second]) {
      connection?.goOnReading();
      expect((await connection?.untilClosed())?.length).to.be.greaterThan(count * 100_000);
    }
  });

  it("is cut where it changes on the way, so that nobody takes it for the whole", async () => {
    await serve(3, (number) => (number === 2 ? null : "x"));
    const outcome = await get()
      .then((answer) => answer.text())
      .then(
        () => "whole",
        () => "cut",
      );
    expect(outcome).to.equal("cut");
    expect(app.logLines.filter(({ level }) => level === "error")).to.deep.equal([]);
  });
});

describe("a list of datasources with large icons", () => {
  const icon = "A".repeat(200_000);
  const datasources = Array.from({ length: 60 }, (_, n) => ({
    ...{ datasourceId: `d${n}`, name: `ds${n}`, displayName: `Datasource "${n}"`, icon: `${n}${icon}` },
    ...{ subs: [], objectDefinitions: [], defaultAccess: "anonymous" },
  })) as never as readonly Datasource[];
  const listed = (found: readonly Datasource[], limits = usualPatience) =>
    startAppWithFakes({ patience: limits, queries: { listDatasources: () => Promise.resolve(ok(found)) } });
  const get = async (app: AppUnderTest) => {
    const answer = await fetch(`${app.url}/api/indexing/datasources`, { headers: { authorization: "Bearer account" } });
    expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
    return answer.text();
  };

  it("is byte for byte the JSON of the list, also of an empty one", async () => {
    for (const found of [[], datasources.slice(0, 3)]) {
      const app = await listed(found);
      expect((await get(app)) === JSON.stringify(found.map(toDatasourceAnswer))).to.equal(true);
      await app.stop();
    }
  });

  it("is written as fast as it is taken: who stops taking it has the service hold a few icons", async () => {
    // Ten whole lists would be 120 MB; nobody may leave more unsent than an icon or two.
    const app = await listed(datasources, { ...usualPatience, mostUnsentBytes: 10_000_000, checkEveryMs: 5 });
    const connections = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const connection = await RawConnection.open(app.url);
        connection.stopReading();
        await connection.send(listRequest);
        return connection;
      }),
    );
    for (let turn = 0; turn < 60; turn++) await fetch(`${app.url}/health/live`);
    const [first, ...others] = connections;
    for (const other of others) other.destroy();
    first?.goOnReading();
    expect((await first?.untilClosed())?.length).to.be.greaterThan(datasources.length * icon.length);
    await app.stop();
  });
});
