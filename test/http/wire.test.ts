import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { toPosition } from "../../src/shared/position.js";
import { DiskFull, EngineUnavailable, ReadModelUnavailable } from "../../src/shared/failures.js";
import { ok } from "../../src/shared/result.js";
import { textOf } from "../support/repositoryFiles.js";
import {
  incarnationOfFakes,
  appConfigOfFakes,
  roomyDisk,
  startAppWithFakes,
  tokensOfFakes,
  type AppUnderTest,
  type Fakes,
} from "./appWithFakes.js";
import { RawConnection } from "./rawConnection.js";

const json = { "content-type": "application/json" };
const account = { authorization: "Bearer account" };
const written = () => Promise.resolve(ok({ value: null, position: toPosition(36) }));

describe("HTTP", () => {
  let app: AppUnderTest;

  async function start(fakes?: Fakes): Promise<void> {
    app = await startAppWithFakes(fakes);
  }

  afterEach(() => app.stop());

  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<Response> => fetch(app.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const detail = async (response: Response): Promise<unknown> =>
    ((await response.json()) as { detail: unknown }).detail;

  describe("authentication", () => {
    beforeEach(() => start());

    const refused: readonly (readonly [string, string, string | undefined])[] = [
      ["no header", "/api/indexing/file-types", undefined],
      ["another scheme", "/api/indexing/file-types", "Basic account"],
      ["no token", "/api/indexing/file-types", "Bearer "],
      ["two tokens", "/api/indexing/file-types", "Bearer account account"],
      ["an unknown token", "/api/indexing/file-types", "Bearer nobody"],
      ["a personal key on the Indexing API", "/api/indexing/file-types", "Bearer key"],
      ["a service account on the query API", "/api/beta/search?query=a", "Bearer account"],
      ["a service account where a role is asked for", "/api/audit/access", "Bearer account"],
      ["nobody where a role is asked for", "/api/audit/access", undefined],
    ];
    for (const [what, path, authorization] of refused) {
      it(`is 401 with ${what}`, async () => {
        const response = await call("GET", path, authorization === undefined ? {} : { authorization });
        expect(response.status).to.equal(401);
        expect(response.headers.get("www-authenticate")).to.equal("Bearer");
        expect(await detail(response)).to.be.a("string");
      });
    }

    it("is 403 with a key that was not made for the role", async () => {
      for (const token of ["key", "operatorKey"]) {
        const response = await call("GET", "/api/audit/access", { authorization: `Bearer ${token}` });
        expect(response.status).to.equal(403);
        expect(await detail(response)).to.match(/needs the role auditor; this key does not carry it/);
      }
      expect((await call("GET", "/api/audit/access", { authorization: "Bearer auditorKey" })).status).to.equal(422);
    });

    it("takes the scheme in any case", async () => {
      expect((await call("GET", "/api/indexing/file-types", { authorization: "bearer  account" })).status).to.equal(
        200,
      );
    });

    it("comes before anything else about the request", async () => {
      expect((await call("POST", "/api/indexing/users", { "content-type": "text/plain" }, "{")).status).to.equal(401);
      expect((await call("GET", "/api/indexing/datasources/%ff")).status).to.equal(401);
    });
  });

  describe("a limited service account", () => {
    it("reads its own datasources alone", async () => {
      const datasource = (name: string) =>
        ({
          datasourceId: incarnationOfFakes,
          name,
          displayName: name,
          icon: null,
          subs: [],
          objectDefinitions: [],
          defaultAccess: "anonymous",
        }) as never;
      await start({
        queries: {
          listDatasources: () => Promise.resolve(ok([datasource("mine"), datasource("theirs")])),
          findDatasource: ({ name }) => Promise.resolve(ok(datasource(name))),
        },
      });
      const limited = { authorization: "Bearer limited" };
      expect(
        ((await (await call("GET", "/api/indexing/datasources", limited)).json()) as { name: string }[]).map(
          ({ name }) => name,
        ),
      ).to.deep.equal(["mine"]);
      expect((await call("GET", "/api/indexing/datasources/mine", limited)).status).to.equal(200);
      expect((await call("GET", "/api/indexing/datasources/theirs", limited)).status).to.equal(403);
      const question = JSON.stringify({ datasource: "theirs", document_id: "a", user_email: "ada@example.org" });
      expect(
        (await call("POST", "/api/indexing/documents/check-access", { ...limited, ...json }, question)).status,
      ).to.equal(403);
    });
  });

  describe("methods", () => {
    beforeEach(() => start());

    it("answers HEAD as GET, without the body", async () => {
      const [head, get] = await Promise.all([
        call("HEAD", "/api/indexing/file-types", account),
        call("GET", "/api/indexing/file-types", account),
      ]);
      expect(head.status).to.equal(200);
      expect(head.headers.get("content-length")).to.equal(get.headers.get("content-length"));
      expect(await head.text()).to.equal("");
    });

    it("answers OPTIONS and other methods with what is allowed", async () => {
      const [options, patch] = await Promise.all([
        call("OPTIONS", "/api/indexing/datasources"),
        call("PATCH", "/api/indexing/datasources"),
      ]);
      expect([options.status, options.headers.get("allow")]).to.deep.equal([204, "POST, GET, HEAD, OPTIONS"]);
      expect([patch.status, patch.headers.get("allow")]).to.deep.equal([405, "POST, GET, HEAD, OPTIONS"]);
      expect(await detail(patch)).to.be.a("string");
      const [one, fixed, noGet] = await Promise.all([
        call("PATCH", "/api/indexing/datasources/wiki"),
        call("DELETE", "/api/indexing/documents/check-access"),
        call("HEAD", "/api/indexing/documents"),
      ]);
      expect([one.status, one.headers.get("allow")]).to.deep.equal([405, "GET, PUT, DELETE, HEAD, OPTIONS"]);
      expect([fixed.status, fixed.headers.get("allow")]).to.deep.equal([405, "GET, POST, HEAD, OPTIONS"]);
      expect([noGet.status, noGet.headers.get("allow")]).to.deep.equal([405, "POST, OPTIONS"]);
    });

    it("is 404 where there is nothing, also where documents' metadata used to be", async () => {
      for (const path of ["/nothing", "/api/beta/document/wiki__a/metadata", "/api/indexing/documents//"]) {
        const response = await call("GET", path, account);
        expect(response.status, path).to.equal(404);
        expect(await detail(response)).to.be.a("string");
      }
    });
  });

  describe("the request target", () => {
    beforeEach(() => start());

    const ask = async (requestLine: string): Promise<string> => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `${requestLine} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nConnection: close\r\n\r\n`,
      );
      return connection.untilClosed();
    };

    it("may be absolute, as clients send it to a proxy", async () => {
      expect(await ask("GET http://search.example.org:80/health/live")).to.match(/^HTTP\/1\.1 200 [^]*alive/);
      expect(await ask("GET HTTPS://search.example.org/api/indexing/datasources/%ff?x=/y")).to.match(
        /^HTTP\/1\.1 422 /,
      );
      expect(await ask("DELETE http://search.example.org/api/indexing/datasources")).to.match(/^HTTP\/1\.1 405 /);
      for (const root of ["http://search.example.org", "http://search.example.org?/health/live"])
        expect(await ask(`GET ${root}`), root).to.match(/^HTTP\/1\.1 200 [^]*<!doctype html>/);
      for (const target of ["ftp://x/health/live", "//x/health/live"]) {
        expect(await ask(`GET ${target}`), target).to.match(/^HTTP\/1\.1 404 /);
      }
    });

    it("may be the service as a whole, for OPTIONS", async () => {
      for (const target of ["*", "http://search.example.org"]) {
        expect(await ask(`OPTIONS ${target}`), target).to.match(
          /^HTTP\/1\.1 204 [^]*\r\nAllow: POST, GET, PUT, DELETE, HEAD, OPTIONS\r\n/,
        );
      }
      expect(await ask("GET *")).to.match(/^HTTP\/1\.1 4/);
    });
  });

  describe("a body", () => {
    beforeEach(() => start({ commands: { createGroup: written } }));

    const group = JSON.stringify({ datasource: "wiki", group: { name: "staff" } });
    const post = (headers: Record<string, string>, body: string | Buffer = group): Promise<Response> =>
      call("POST", "/api/indexing/groups", { ...account, ...headers }, body);

    it("is JSON by its content type, in UTF-8", async () => {
      const accepted = [
        "application/json",
        "Application/JSON; Charset=UTF-8",
        'application/json;charset="utf-8"',
        "application/vnd.api+json",
      ];
      for (const type of accepted) expect((await post({ "content-type": type })).status, type).to.equal(200);
      const refused = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json; charset=latin1",
        "multipart/form-data; boundary=x",
      ];
      for (const type of refused) expect((await post({ "content-type": type })).status, type).to.equal(415);
      expect((await post({ ...json, "content-encoding": "br" })).status).to.equal(415);
    });

    it("has to be there", async () => {
      const response = await call("POST", "/api/indexing/groups", account);
      expect(response.status).to.equal(422);
      expect(await detail(response)).to.deep.equal([{ loc: ["body"], msg: "Field required", type: "missing" }]);
    });

    it("may come in chunks", async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      for (const chunk of group.match(/.{1,7}/g) ?? [])
        await connection.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      await connection.send("0\r\n\r\n");
      expect(await connection.until(/"status":"ok".*\}$/)).to.match(/^HTTP\/1\.1 200 /);
      connection.destroy();
    });

    it("is refused by its declared length before it is read, and the connection closed", async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n{`,
      );
      const answer = await connection.until(/"detail":"[^"]*"\}/);
      expect(answer)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.match(/\r\nConnection: close\r\n/);
      expect(answer).to.contain("at most 1048576 bytes").and.not.contain("documents");
      connection.destroy();
    });

    it("is refused with a hint to send fewer documents, where it holds documents", async () => {
      const documents = Buffer.alloc(2_000_001, " ");
      const response = await call("POST", "/api/indexing/documents", { ...account, ...json }, documents);
      expect(response.status).to.equal(422);
      expect(await response.json()).to.deep.equal({
        detail: [
          {
            loc: ["body"],
            type: "bytes_too_long",
            msg: "Data should have at most 2000000 bytes, and a binary at most 1000000. Send fewer documents in one request",
            ctx: { max_length: 2_000_000 },
          },
        ],
      });
    });

    it("is refused as soon as it is too long, where its length was not declared", async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, " "), Buffer.from("\r\n")]);
      for (let sent = 0; sent < 17; sent++) await connection.send(chunk);
      expect(await connection.until(/"detail":"[^"]*"\}/)).to.match(/^HTTP\/1\.1 413 /);
      connection.destroy();
    });

    it("reaches a client that sends all of a refused body before it reads the answer", async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n`,
      );
      await connection.send(Buffer.alloc(8_000_000, " "));
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 401 [^]*"detail"/);
    });

    it("is asked for only once the request may have one", async () => {
      const head = (length: number, expectation = "100-continue"): string =>
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Type: application/json\r\nExpect: ${expectation}\r\nContent-Length: ${length}\r\n\r\n`;
      const refused = await RawConnection.open(app.url);
      await refused.send(head(9_000_000));
      expect(await refused.untilClosed()).to.match(/^HTTP\/1\.1 413 /);
      const accepted = await RawConnection.open(app.url);
      await accepted.send(head(group.length));
      await accepted.until(/^HTTP\/1\.1 100 /);
      await accepted.send(group);
      await accepted.until(/HTTP\/1\.1 200 /);
      accepted.destroy();
      const shouting = await RawConnection.open(app.url);
      await shouting.send(head(group.length, "100-Continue"));
      await shouting.until(/^HTTP\/1\.1 100 /);
      shouting.destroy();
    });

    it("that never ends is nobody's command", async () => {
      const connection = await RawConnection.open(app.url);
      await connection.send(
        `POST /api/indexing/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Type: application/json\r\nContent-Length: ${group.length + 1}\r\n\r\n${group}`,
      );
      connection.destroy();
      while (!app.logLines.some(({ route, status }) => route === "/api/indexing/groups" && status === 400))
        await new Promise(setImmediate);
      expect(app.given).to.deep.equal([]);
    });

    it("of a route that wants none is read past", async () => {
      const connection = await RawConnection.open(app.url);
      const request = `DELETE /api/indexing/memberships/wiki/staff/robot/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\nContent-Length: 5\r\n\r\nhello`;
      await connection.send(request + request);
      expect(await connection.until(/HTTP\/1\.1 400 [^]*HTTP\/1\.1 400 [^]*"detail":"[^"]*"\}$/)).not.to.contain(
        "Connection: close",
      );
      connection.destroy();
    });
  });

  describe("headers", () => {
    it("carry the token of a write, and a read that sends one back waits for it", async () => {
      const asked: unknown[] = [];
      await start({
        commands: { createGroup: written },
        queries: {
          listDatasources: ({ atLeast }) => {
            asked.push(atLeast);
            return Promise.resolve(ok([]));
          },
        },
      });
      const write = await call(
        "POST",
        "/api/indexing/groups",
        { ...account, ...json },
        JSON.stringify({ datasource: "wiki", group: { name: "staff" } }),
      );
      const token = write.headers.get("x-consistency-token");
      expect(await tokensOfFakes.positionOf(token ?? "")).to.equal(36n);
      await call("GET", "/api/indexing/datasources", { ...account, "x-consistency-token": token ?? "" });
      await call("GET", "/api/indexing/datasources", account);
      expect(asked).to.deep.equal([36n, null]);
      const malformed = await call("GET", "/api/indexing/datasources", { ...account, "x-consistency-token": "36" });
      expect(malformed.status).to.equal(422);
      expect(((await detail(malformed)) as object[])[0]).to.deep.include({
        loc: ["header", "x-consistency-token"],
        type: "value_error",
      });
    });

    it("answer a write only after the read models have had a moment", async () => {
      const order: string[] = [];
      await start({
        commands: { createGroup: () => (order.push("written"), written()) },
        dependencies: {
          waitUntilProjected: async (position) => {
            await new Promise(setImmediate);
            order.push(`projected ${position}`);
          },
        },
      });
      await call(
        "POST",
        "/api/indexing/groups",
        { ...account, ...json },
        JSON.stringify({ datasource: "wiki", group: { name: "staff" } }),
      );
      expect([...order, "answered"]).to.deep.equal(["written", "projected 36", "answered"]);
    });

    it("echo a sane request id, and mint one otherwise", async () => {
      await start();
      const idOf = async (headers: Record<string, string>): Promise<string | null> =>
        (await call("GET", "/health/live", headers)).headers.get("x-request-id");
      expect(await idOf({ "x-request-id": "trace-1:a.b_c" })).to.equal("trace-1:a.b_c");
      const minted = await Promise.all([
        idOf({}),
        idOf({}),
        idOf({ "x-request-id": "a b" }),
        idOf({ "x-request-id": "x".repeat(129) }),
      ]);
      expect(new Set(minted).size).to.equal(4);
      for (const id of minted) expect(id).to.match(/^[\w-]{10,}$/);
      // What two of them share would tell how many requests came in between.
      expect(new Set(minted.map((id) => id?.slice(0, 8))).size).to.equal(4);
    });

    it("keep answers from being stored or taken for something else", async () => {
      await start();
      const { headers } = await call("GET", "/health/live");
      expect([
        headers.get("cache-control"),
        headers.get("x-content-type-options"),
        headers.get("content-type"),
      ]).to.deep.equal(["no-store", "nosniff", "application/json; charset=utf-8"]);
    });
  });

  describe("what goes wrong inside", () => {
    it("is a 500 that tells nothing but the id under which it was logged", async () => {
      await start({ queries: { search: () => Promise.reject(new Error("SQLITE_CORRUPT: secret words")) } });
      const response = await call("GET", "/api/beta/search?query=confidential", {
        authorization: "Bearer key",
        "x-request-id": "trace-7",
      });
      expect(response.status).to.equal(500);
      expect(await detail(response))
        .to.be.a("string")
        .and.contain("trace-7")
        .and.not.contain("SQLITE");
      const logged = app.logLines.find(({ level }) => level === 50);
      expect(logged).to.deep.include({ requestId: "trace-7" });
      expect(JSON.stringify(logged)).to.contain("SQLITE_CORRUPT");
    });

    for (const [what, asked] of [
      ["access", "search"],
      ["credentials", "authenticate"],
    ] as const) {
      it(`is a 503 while ${what} cannot be looked up, never a no`, async () => {
        await start({
          queries: { [asked]: () => Promise.reject(new ReadModelUnavailable("Redis at 10.0.0.7 is gone.", 2)) },
        });
        const response = await call("GET", "/api/beta/search?query=confidential", { authorization: "Bearer key" });
        expect([response.status, response.headers.get("retry-after")]).to.deep.equal([503, "2"]);
        expect(await detail(response))
          .to.be.a("string")
          .and.not.contain("Redis");
        expect(JSON.stringify(app.logLines.find(({ level }) => level === 40))).to.contain("Redis at 10.0.0.7 is gone.");
      });
    }

    it("is a 503 while the log does not answer", async () => {
      await start({
        commands: {
          deleteDocument: () => Promise.reject(new EngineUnavailable("The event store at 10.0.0.7 gives no answer.")),
        },
      });
      const response = await call("DELETE", "/api/indexing/documents/mine/a", { authorization: "Bearer account" });
      expect([response.status, response.headers.get("retry-after")]).to.deep.equal([503, "1"]);
      expect(await detail(response))
        .to.be.a("string")
        .and.not.contain("10.0.0.7");
      expect(JSON.stringify(app.logLines.find(({ level }) => level === 50))).to.contain(
        "The event store at 10.0.0.7 gives no answer.",
      );
    });

    it("is a 503 that names the disk while that is full, which is noted", async () => {
      let noted = 0;
      const disk = { ...roomyDisk, noteFull: () => void noted++ };
      await start({
        commands: { deleteDocument: () => Promise.reject(new DiskFull("database or disk is full: /var/lib/x")) },
        dependencies: { disk },
      });
      const response = await call("DELETE", "/api/indexing/documents/mine/a", { authorization: "Bearer account" });
      expect([response.status, response.headers.get("retry-after"), noted]).to.deep.equal([503, "30", 1]);
      expect(await detail(response))
        .to.contain("The disk of the service is full")
        .and.not.contain("/var/lib");
    });

    it("is told where HTTP itself is broken", async () => {
      await start();
      const connection = await RawConnection.open(app.url);
      await connection.send("NONSENSE\r\n\r\n");
      expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 400 [^]*\{"detail":"[^"]+"\}$/);
      const long = await RawConnection.open(app.url);
      await long.send(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(270_000)}\r\n\r\n`);
      expect(await long.untilClosed()).to.match(/^HTTP\/1\.1 431 [^]*\{"detail":"[^"]+"\}$/);
      const nowhere = await RawConnection.open(app.url);
      await nowhere.send("GET / HTTP/1.1\r\n\r\n");
      await nowhere.until(/^HTTP\/1\.1 400 [^]*\{"detail":"[^"]+"\}$/);
      nowhere.destroy();
      const expecting = await RawConnection.open(app.url);
      await expecting.send("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n");
      await expecting.until(/^HTTP\/1\.1 417 [^]*\{"detail":"[^"]+"\}$/);
      expecting.destroy();
    });

    it("takes the longest query that the API description promises, in any language", async () => {
      let asked = "";
      await start({
        queries: {
          search: ({ query }) => {
            asked = query;
            return Promise.resolve(ok({ hits: [], total: 0, totalRelation: "eq" }));
          },
        },
      });
      const longest = "😀".repeat(16_384);
      const search = (query: string) =>
        call("GET", `/api/beta/search?query=${encodeURIComponent(query)}`, { authorization: "Bearer key" });
      expect((await search(longest)).status).to.equal(200);
      expect(asked).to.equal(longest);
      expect((await search(`${longest}a`)).status).to.equal(422);
    });

    it("says where a search has found a part only", async () => {
      await start({
        queries: { search: async () => ok({ hits: [], total: 20, totalRelation: "gte", partial: true as const }) },
      });
      const answer = await call("GET", "/api/beta/search?query=private", { authorization: "Bearer key" });
      expect(await answer.json()).to.deep.include({ total: 20, total_relation: "gte", partial: true });
    });
  });

  describe("the log", () => {
    it("has one line per request, without what was asked, sent or proven", async () => {
      await start({
        commands: { createGroup: written },
        queries: { search: () => Promise.resolve(ok({ hits: [], total: 0, totalRelation: "eq" })) },
      });
      await call(
        "POST",
        "/api/indexing/groups",
        { ...account, ...json },
        JSON.stringify({ datasource: "private", group: { name: "private" } }),
      );
      await call("GET", "/api/beta/search?query=private", { authorization: "Bearer key" });
      await call("GET", "/private");
      await call("GET", "/health/live");
      const lines = app.logLines.filter(({ level }) => level === 30);
      expect(lines.map(({ method, route, status }) => [method, route, status])).to.deep.equal([
        ["POST", "/api/indexing/groups", 200],
        ["GET", "/api/beta/search", 200],
        ["GET", null, 404],
      ]);
      for (const line of lines) expect(line).to.include.keys("ms", "requestId");
      expect(JSON.stringify(app.logLines)).not.to.match(/private|Bearer/);
    });
  });

  describe("health", () => {
    it("is live at once and ready when everything is served", async () => {
      let ready = false;
      await start({
        dependencies: {
          readiness: async () => ({ isReady: ready, waitsFor: [], threadsAway: [], isStopping: false }),
        },
      });
      const statuses = async (): Promise<number[]> =>
        Promise.all(["/health/live", "/health/ready"].map(async (path) => (await call("GET", path)).status));
      expect(await statuses()).to.deep.equal([200, 503]);
      ready = true;
      expect(await statuses()).to.deep.equal([200, 200]);
    });

    it("is not ready while the disk is full", async () => {
      await start({ dependencies: { disk: { ...roomyDisk, isFull: () => Promise.resolve(true) } } });
      const response = await call("GET", "/health/ready");
      expect([response.status, await response.json()]).to.deep.equal([503, { status: "disk_full" }]);
      expect(await (await call("GET", "/metrics")).text()).to.match(/^enterprise_search_disk_full 1$/m);
    });
  });

  describe("the metrics", () => {
    const scrape = async (): Promise<string> => (await call("GET", "/metrics")).text();

    it("count requests by route and status, and say nothing of what was asked or by whom", async () => {
      await start({ commands: { createGroup: written } });
      await call(
        "POST",
        "/api/indexing/groups",
        { ...account, ...json },
        JSON.stringify({ datasource: "private", group: { name: "private" } }),
      );
      for (const path of ["/private", "/api/indexing/datasources/private%ff", "/private?private"])
        await call("GET", path);
      const text = await scrape();
      expect(text).to.contain(
        'enterprise_search_http_request_duration_seconds_count{method="POST",route="/api/indexing/groups",status="200"} 1\n',
      );
      expect(text).to.contain(
        'enterprise_search_http_request_duration_seconds_count{method="GET",route="none",status="404"} 2\n',
      );
      expect(text).to.contain(
        'enterprise_search_http_request_duration_seconds_count{method="GET",route="/api/indexing/datasources/{name}",status="401"} 1\n',
      );
      expect(text).to.contain("process_resident_memory_bytes ").and.contain("nodejs_eventloop_lag_seconds ");
      expect(text).not.to.match(/private|Bearer/);
    });

    it("tell how far the read models are behind the log, and the rest while that is not known", async () => {
      let fails = false;
      const progress = () =>
        fails
          ? Promise.reject(new Error("down"))
          : Promise.resolve({
              log: toPosition(9),
              readModels: { search: toPosition(7) },
              projections: [],
              bulkRemovals: 0,
            });
      await start({ dependencies: { progress } });
      expect(await scrape())
        .to.contain("enterprise_search_log_position 9\n")
        .and.contain('enterprise_search_read_model_position{read_model="search"} 7\n');
      fails = true;
      // What was told is told again for a second.
      while ((await scrape()).includes("_log_position 9")) await nextTurn();
      expect(await scrape())
        .to.contain("process_cpu_seconds_total ")
        .and.not.match(/_position(\{.*\})? \d/);
    });

    it("say which program answers, and how much room it has", async () => {
      const { version } = JSON.parse(textOf("package.json")) as { version: string };
      await start({ dependencies: { disk: { ...roomyDisk, freeBytes: () => Promise.resolve(4_096) } } });
      expect(await scrape())
        .to.contain(`enterprise_search_build_info{version="${version}",node="${process.version}"} 1\n`)
        .and.contain("enterprise_search_disk_free_bytes 4096\n");
    });

    it("are for those who know the token, where there is one", async () => {
      const config = { ...appConfigOfFakes, metricsToken: "0123456789abcdef" };
      await start({ dependencies: { config } });
      const statusWith = async (headers: Record<string, string>) => (await call("GET", "/metrics", headers)).status;
      expect(await statusWith({})).to.equal(401);
      expect(await statusWith(account)).to.equal(401);
      expect(await statusWith({ authorization: "Bearer 0123456789abcdef" })).to.equal(200);
    });

    it("are made once, however often they are asked for at the same time", async () => {
      let made = 0;
      const progress = () => Promise.reject(new Error(`down ${++made}`));
      await start({ dependencies: { progress } });
      await Promise.all(Array.from({ length: 100 }, scrape));
      await scrape();
      expect(made).to.be.within(1, 3);
    });

    it("are what Prometheus reads", async () => {
      await start();
      const response = await call("GET", "/metrics");
      expect(response.headers.get("content-type")).to.equal("text/plain; version=0.0.4; charset=utf-8");
      const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
      for (const line of lines)
        expect(line).to.match(/^[a-z_][a-z0-9_]*(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (\d\S*|nan)$/i);
      expect(app.logLines.filter(({ level, route }) => level === 30 && route === "/metrics")).to.deep.equal([]);
    });
  });

  describe("the documentation", () => {
    beforeEach(() => start());

    it("is a page that loads everything from this service", async () => {
      const response = await call("GET", "/docs");
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy)
        .to.contain("default-src 'none'")
        .and.not.match(/https?:/);
      const sources = [...(await response.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = ""]) => source);
      expect(sources).to.have.length.greaterThan(3);
      for (const source of sources) {
        const asset = await call("GET", source);
        expect(asset.status, source).to.equal(200);
        // A body that nobody reads keeps its connection.
        await asset.arrayBuffer();
      }
      expect(await (await call("GET", "/docs/start.js")).text())
        .to.contain("validatorUrl: null")
        .and.contain("/openapi.json");
    });

    it("shows the description that needs no credential", async () => {
      const response = await call("GET", "/openapi.json");
      expect(response.headers.get("content-type")).to.contain("application/json");
      expect(await response.json()).to.include({ openapi: "3.1.0" });
    });
  });

  describe("stopping", () => {
    const signal = (): { readonly given: Promise<void>; give(): void } => {
      let give = (): void => undefined;
      return { given: new Promise<void>((resolve) => (give = resolve)), give: () => give() };
    };
    /** New connections are refused from here on. */
    const untilRefused = async (): Promise<void> => {
      const isServed = (): Promise<boolean> =>
        call("GET", "/health/live").then(
          () => true,
          () => false,
        );
      while (await isServed());
    };

    it("finishes what is in flight, refuses new connections, and does not wait for idle ones", async () => {
      const [asked, finished] = [signal(), signal()];
      await start({ queries: { listDatasources: async () => (asked.give(), await finished.given, ok([])) } });
      const idle = await RawConnection.open(app.url);
      await idle.send("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
      await idle.until(/alive/);
      const answer = call("GET", "/api/indexing/datasources", account);
      await asked.given;
      const stopped = app.stop();
      await idle.untilClosed();
      await untilRefused();
      finished.give();
      expect((await answer).status).to.equal(200);
      await stopped;
    });

    it("answers what comes on connections that were open, and says that it is the last on them", async () => {
      const [asked, finished] = [signal(), signal()];
      await start({ queries: { listDatasources: async () => (asked.give(), await finished.given, ok([])) } });
      const head = "HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\n\r\n";
      const [busy, kept] = [await RawConnection.open(app.url), await RawConnection.open(app.url)];
      await busy.send(`GET /api/indexing/datasources ${head}`);
      await asked.given;
      await kept.send(`GET /health/live ${head}`);
      expect(await kept.until(/alive/)).not.to.contain("Connection: close");
      const stopped = app.stop();
      await kept.send(`GET /api/indexing/file-types ${head}`);
      expect(await kept.untilClosed()).to.match(/alive[^]*HTTP\/1\.1 200 [^]*Connection: close\r\n[^]*"wiki"/);
      finished.give();
      expect(await busy.untilClosed()).to.match(/HTTP\/1\.1 200 [^]*Connection: close\r\n[^]*\[\]\r\n0\r\n\r\n$/);
      await stopped;
    });

    it("waits for what it was asked by clients that are gone", async () => {
      const [asked, finished] = [signal(), signal()];
      let hasFinished = false;
      await start({
        queries: { listDatasources: async () => (asked.give(), await finished.given, (hasFinished = true), ok([])) },
      });
      const connection = await RawConnection.open(app.url);
      await connection.send(
        "GET /api/indexing/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account\r\n\r\n",
      );
      await asked.given;
      connection.destroy();
      const stopped = app.stop().then(() => hasFinished);
      await untilRefused();
      setImmediate(finished.give);
      expect(await stopped).to.equal(true);
    });
  });
});
