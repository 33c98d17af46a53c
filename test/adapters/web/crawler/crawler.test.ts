import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import type { Extraction, FileToExtract } from "../../../../commands/ports.js";
import { AllowedHosts } from "../../../../src/adapters/web/crawler/allowedHosts.js";
import { Crawler, type CrawlerOptions } from "../../../../src/adapters/web/crawler/crawler.js";
import { publicConnections } from "../../../../src/adapters/web/crawler/publicConnections.js";
import {
  startLoopback,
  type LoopbackServer,
  type Reply,
  type SeenRequest,
} from "../../../support/web/loopbackServer.js";

const html = "<html><body><p>A page.</p></body></html>";

describe("the crawler", () => {
  let server: LoopbackServer;
  /** What is at an address; nothing is 404. */
  let site: Record<string, Reply | null | ((request: SeenRequest) => Reply | null | Promise<Reply | null>)>;
  let extracted: FileToExtract[];

  before(async () => {
    server = await startLoopback(async (request) => {
      const there = Object.hasOwn(site, request.path) ? site[request.path] : { status: 404 };
      return (typeof there === "function" ? await there(request) : there) ?? null;
    });
  });
  beforeEach(() => {
    site = { "/": { body: html } };
    extracted = [];
  });
  after(() => server.close());

  const open = (options: Partial<CrawlerOptions> = {}): Crawler => {
    const hosts = new AllowedHosts([{ host: "127.0.0.1", port: server.port }]);
    return new Crawler({
      ...{ hosts, dispatcher: publicConnections(hosts, { httpsProxy: "", noProxy: "" }) },
      ...{ concurrency: 4, maxBytes: 10_000, userAgent: "TestBot/1.0 (test)" },
      extractor: {
        extract: (file) => {
          extracted.push(file);
          const text = Buffer.from(file.content as Uint8Array).toString();
          return Promise.resolve<Extraction>({ kind: "text", text, facts: { mimeType: file.mimeType ?? "" } });
        },
      },
      ...options,
    });
  };
  const read = (path = "/", crawler = open(), signal = AbortSignal.timeout(60_000)) =>
    crawler.read(`${server.url}${path}`, signal);
  const asked = (path: string): readonly SeenRequest[] => server.requests.filter((request) => request.path === path);

  it("gives a page to be read, with what its site says of it", async () => {
    site["/"] = { headers: { "Content-Type": 'Text/HTML; q="1"; charset="ISO-8859-1"' }, body: html };
    expect(await read()).to.deep.equal({ text: html });
    expect(extracted).to.deep.equal([
      { content: Buffer.from(html), mimeType: "text/html", charset: "ISO-8859-1", name: null, form: "article" },
    ]);
  });

  it("says who it is, and nothing of anybody else", async () => {
    await read();
    const { headers } = asked("/").at(-1) as SeenRequest;
    expect(Object.keys(headers).sort()).to.deep.equal([
      ...["accept", "accept-encoding", "accept-language", "connection", "host", "user-agent"],
    ]);
    expect(headers["user-agent"]).to.equal("TestBot/1.0 (test)");
  });

  it("keeps no cookies", async () => {
    const cookie = { "Set-Cookie": "visitor=1; Path=/" };
    site["/"] = { status: 302, headers: { ...cookie, Location: "/there" } };
    site["/there"] = { headers: cookie, body: html };
    const crawler = open();
    await read("/", crawler);
    await read("/", crawler);
    expect(asked("/there").filter(({ headers }) => headers.cookie !== undefined)).to.deep.equal([]);
  });

  for (const status of [301, 302, 303, 307, 308])
    it(`follows where ${status} leads, ten times at most`, async () => {
      for (let hop = 0; hop < 11; hop++) site[`/${hop}`] = { status, headers: { Location: `${hop + 1}` } };
      site["/10"] = { body: html };
      expect(await read("/0")).to.deep.equal({ text: html });
      site["/10"] = { status, headers: { Location: "/11" } };
      site["/11"] = { body: html };
      expect(await read("/0")).to.equal(null);
    });

  for (const status of [204, 206, 302, 304, 401, 404, 410, 429, 500])
    it(`has no page where it is answered ${status}`, async () => {
      site["/"] = { status, body: status === 204 || status === 304 ? undefined : html };
      expect(await read()).to.equal(null);
    });

  describe("reads what is text, and nothing else", () => {
    for (const type of ["text/html", "application/xhtml+xml", "text/plain", "text/markdown", "application/pdf"])
      it(`reads ${type}`, async () => {
        site["/"] = { headers: { "Content-Type": type }, body: html };
        expect(await read()).to.deep.equal({ text: html });
      });
    for (const type of [
      "image/png",
      "application/zip",
      "application/json",
      "video/mp4",
      "application/octet-stream",
      "",
    ])
      it(`leaves ${type === "" ? "what does not say what it is" : type}`, async () => {
        site["/"] = { headers: { "Content-Type": type }, body: html };
        expect(await read()).to.equal(null);
        expect(extracted).to.deep.equal([]);
      });

    it("leaves what turns out to be something else", async () => {
      const extractor = {
        extract: () =>
          Promise.resolve<Extraction>({ kind: "text", text: "a.txt", facts: { mimeType: "application/zip" } }),
      };
      expect(await read("/", open({ extractor }))).to.equal(null);
    });

    it("leaves what cannot be read, and what holds nothing", async () => {
      const outcomes: Extraction[] = [
        { kind: "unextractable", reason: "It is encrypted." },
        { kind: "unstorable" },
        { kind: "text", text: " \n", facts: { mimeType: "text/html" } },
      ];
      for (const outcome of outcomes)
        expect(await read("/", open({ extractor: { extract: () => Promise.resolve(outcome) } }))).to.equal(null);
      expect(await read("/", open({ extractor: { extract: () => Promise.reject(new Error("busy")) } }))).to.equal(null);
    });
  });

  describe("within CRAWL_MAX_BYTES", () => {
    const large = "x".repeat(10_001);
    const headers = { "Content-Type": "text/plain" };

    it("reads the largest, and leaves what is larger, whether it says so or not", async () => {
      site["/"] = { headers, body: large.slice(1) };
      expect(await read()).to.deep.equal({ text: large.slice(1) });
      site["/"] = { headers, body: large };
      expect(await read()).to.equal(null);
      site["/"] = { headers: { ...headers, "Transfer-Encoding": "chunked" }, body: large };
      expect(await read()).to.equal(null);
    });

    for (const [encoding, pack] of [
      ["gzip", gzipSync],
      ["x-gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ] as const)
      it(`unpacks ${encoding}, as far as that`, async () => {
        const packed = { ...headers, "Content-Encoding": encoding };
        site["/"] = { headers: packed, body: pack(large.slice(1)) };
        expect(await read()).to.deep.equal({ text: large.slice(1) });
        site["/"] = { headers: packed, body: pack("x".repeat(3_000_000)) };
        expect(await read()).to.equal(null);
        site["/"] = { headers: packed, body: "this is not packed" };
        expect(await read()).to.equal(null);
      });

    it("leaves what is packed twice, or in a way that nobody knows", async () => {
      for (const encoding of ["gzip, gzip", "zstd", "__proto__", "constructor"]) {
        site["/"] = { headers: { ...headers, "Content-Encoding": encoding }, body: gzipSync(gzipSync("x")) };
        expect(await read(), encoding).to.equal(null);
      }
    });
  });

  describe("obeys robots.txt", () => {
    const robots = (body: string): void => {
      site["/robots.txt"] = { headers: { "Content-Type": "text/plain" }, body };
    };

    it("which forbids some pages to it", async () => {
      robots("User-agent: *\nDisallow: /\n\nUser-agent: testbot\nDisallow: /private\nAllow: /private/but");
      for (const path of ["/private", "/private/but", "/private?x"]) site[path] = { body: html };
      const crawler = open();
      expect(await read("/", crawler)).to.deep.equal({ text: html });
      expect(await read("/private", crawler)).to.equal(null);
      expect(await read("/private/but", crawler)).to.deep.equal({ text: html });
      expect(asked("/private")).to.deep.equal([]);
    });

    it("at the end of a redirect as well", async () => {
      robots("User-agent: *\nDisallow: /hidden");
      site["/"] = { status: 302, headers: { Location: "/hidden" } };
      site["/hidden"] = { body: html };
      expect(await read()).to.equal(null);
      expect(asked("/hidden")).to.deep.equal([]);
    });

    it("which is asked for once, also by those who come at the same time", async () => {
      robots("");
      const before = asked("/robots.txt").length;
      const crawler = open();
      await Promise.all([read("/", crawler), read("/", crawler), read("/", crawler)]);
      await read("/", crawler);
      expect(asked("/robots.txt").length - before).to.equal(1);
    });

    it("which is not there", async () => {
      for (const status of [401, 403, 404, 410]) {
        site["/robots.txt"] = { status };
        expect(await read(), String(status)).to.deep.equal({ text: html });
      }
    });

    it("which cannot be had, so that everything may be forbidden", async () => {
      for (const status of [429, 500, 503]) {
        site["/robots.txt"] = { status };
        expect(await read(), String(status)).to.equal(null);
      }
      site["/robots.txt"] = { status: 302, headers: { Location: "/robots.txt" } };
      expect(await read()).to.equal(null);
    });

    it("which would take too long to be understood", async () => {
      robots(`User-agent: *\nDisallow: /${"*a".repeat(10_000)}`);
      expect(await read()).to.equal(null);
      robots("x".repeat(600_000));
      expect(await read()).to.equal(null);
    });
  });

  describe("in time", () => {
    it("gives up a page that keeps silent, or that comes too slowly", async () => {
      let leave = (): void => undefined;
      site["/silent"] = () => {
        leave();
        return null;
      };
      const leaving = new AbortController();
      leave = () => leaving.abort();
      expect(await read("/silent", open(), leaving.signal)).to.equal(null);
    });

    it("asks for nothing once time is up", async () => {
      const before = server.requests.length;
      expect(await read("/", open(), AbortSignal.abort())).to.equal(null);
      expect(server.requests.length).to.equal(before);
    });

    it("reads so many pages at once, and goes on when one is done or given up", async () => {
      let underWay = 0;
      let most = 0;
      const waiting: (() => void)[] = [];
      const extractor: CrawlerOptions["extractor"] = {
        extract: async () => {
          most = Math.max(most, ++underWay);
          await new Promise<void>((resolve) => waiting.push(resolve));
          underWay--;
          return { kind: "text", text: html, facts: { mimeType: "text/html" } };
        },
      };
      const crawler = open({ concurrency: 2, extractor });
      const leaving = new AbortController();
      const reading = [read("/", crawler, leaving.signal), read("/", crawler), read("/", crawler), read("/", crawler)];
      const untilWaiting = async (count: number): Promise<void> => {
        while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve));
      };
      await untilWaiting(2);
      waiting.shift()?.();
      await untilWaiting(2);
      waiting.splice(0).forEach((done) => done());
      await untilWaiting(1);
      waiting.splice(0).forEach((done) => done());
      expect(await Promise.all(reading)).to.deep.equal(Array.from({ length: 4 }, () => ({ text: html })));
      expect(most).to.equal(2);
    });
  });
});
