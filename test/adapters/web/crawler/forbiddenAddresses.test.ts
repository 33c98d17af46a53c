import { connect } from "node:net";
import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { request } from "undici";
import type { Extraction, TextExtractor } from "../../../../commands/ports.js";
import { AllowedHosts } from "../../../../src/adapters/web/crawler/allowedHosts.js";
import { Crawler } from "../../../../src/adapters/web/crawler/crawler.js";
import {
  ForbiddenAddress,
  publicConnections,
  type Resolve,
} from "../../../../src/adapters/web/crawler/publicConnections.js";
import { startLoopback, type LoopbackServer } from "../../../support/web/loopbackServer.js";

const page = { body: "<html><body><p>Secret of the house.</p></body></html>" };
/** As if every page were its bytes. */
const asItStands: TextExtractor = {
  extract: ({ content }) =>
    Promise.resolve<Extraction>({
      kind: "text",
      text: Buffer.from(content as Uint8Array).toString(),
      facts: { mimeType: "text/html" },
    }),
};
const publicAddress: LookupAddress = { address: "93.184.215.14", family: 4 };

/** A resolver that knows these names, and for each a row of answers, of which the last one stays. */
function resolver(names: Readonly<Record<string, readonly (readonly string[])[]>>): Resolve {
  const asked: Record<string, number> = {};
  return (hostname, found) => {
    const answers = names[hostname.replace(/\.$/, "")];
    const answer = answers?.[Math.min((asked[hostname] = (asked[hostname] ?? 0) + 1), answers.length) - 1];
    if (answer === undefined) return found(new Error(`Nobody knows ${hostname}.`), []);
    found(
      null,
      answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
}

/** A proxy that notes for what it is asked, and takes everybody to one server, as if that were the public network. */
async function startProxy(to: number): Promise<{ url: string; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const server: Server = createServer();
  server.on("connect", ({ url = "" }, client) => {
    asked.push(url);
    const there = connect(to, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(client).pipe(there);
    });
    for (const socket of [client, there]) socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

describe("ways to an address that is not public", () => {
  let forbidden: LoopbackServer;
  /** The same port, by IPv6; null where this machine has none. */
  let forbidden6: LoopbackServer | null;
  /** A host that operators have named: it leads elsewhere by redirects. */
  let named: LoopbackServer;
  let location = "";

  before(async () => {
    forbidden = await startLoopback(() => page);
    forbidden6 = await startLoopback(() => page, "::1", forbidden.port).catch(() => null);
    named = await startLoopback(({ path }) =>
      path === "/robots.txt" ? { status: 404 } : { status: 302, headers: { Location: location } },
    );
  });
  after(async () => {
    await Promise.all([forbidden.close(), forbidden6?.close(), named.close()]);
  });

  const crawler = (resolve?: Resolve, allowed: readonly { host: string; port: number | null }[] = []) => {
    // Any host may be asked at the port of the forbidden server: nothing but its address keeps the crawler away.
    const hosts = new AllowedHosts(
      [{ host: "127.0.0.1", port: named.port }, ...allowed],
      new Set([80, 443, forbidden.port]),
    );
    const dispatcher = publicConnections(hosts, { httpsProxy: "", noProxy: "" }, resolve);
    return new Crawler({
      ...{ dispatcher, hosts, extractor: asItStands },
      ...{ concurrency: 4, maxBytes: 100_000, userAgent: "TestBot/1.0" },
    });
  };
  const connections = (): number => forbidden.connections + (forbidden6?.connections ?? 0);
  const inTime = (): AbortSignal => AbortSignal.timeout(60_000);
  const expectNothing = async (reading: Promise<unknown>, before: number): Promise<void> => {
    expect(await reading).to.equal(null);
    expect(connections() - before).to.equal(0);
  };

  it("counts: a host that is named is read at the very same address", async () => {
    const before = connections();
    const reader = crawler(undefined, [{ host: "127.0.0.1", port: forbidden.port }]);
    expect(await reader.read(`${forbidden.url}/`, inTime())).to.deep.equal({ text: page.body });
    expect(connections() - before).to.equal(2);
  });

  const hostsOfAddresses = [
    ...[
      "127.0.0.1",
      "127.0.0.1.",
      "127.1",
      "127.0.1",
      "2130706433",
      "0x7f000001",
      "0x7f.0.0.1",
      "0x7f.1",
      "0X7F.0.0.1",
    ],
    ...["0177.0.0.1", "017700000001", "0177.0.0.01", "127.0.0.0x1", "127.000.000.001", "0", "0.0.0.0", "0x0"],
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]"],
    ...["[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[::ffff:0:127.0.0.1]", "[2002:7f00:1::]"],
    ...["①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1", "１２７.0.0.1", "%31%32%37.0.0.1", "127.0.0.1%2e"],
    ...["localhost", "LOCALHOST", "localhost.", "ⓛocalhost", "ｌｏｃａｌｈｏｓｔ", "loc\u00adalhost", "local\thost"],
  ];
  for (const host of hostsOfAddresses)
    it(`written as ${JSON.stringify(host)}`, async () => {
      const before = connections();
      await expectNothing(crawler().read(`http://${host}:${forbidden.port}/`, inTime()), before);
      await expectNothing(crawler().read(`https://${host}:${forbidden.port}/`, inTime()), before);
    });

  const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
    "v4.example": [["127.0.0.1"]],
    "zero.example": [["0.0.0.0"]],
    "other.example": [["127.0.0.2"]],
    "v6.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "mapped-hex.example": [["::ffff:7f00:1"]],
    "nat64.example": [["64:ff9b::7f00:1"]],
    "both.example": [["127.0.0.1", "::1"]],
    "private.example": [["10.0.0.1", "192.168.0.1", "172.16.0.1", "127.0.0.1"]],
    "metadata.example": [["169.254.169.254", "127.0.0.1"]],
    "unique-local.example": [["fd00::1", "fe80::1", "127.0.0.1"]],
    "xn--bcher-kva.example": [["127.0.0.1"]],
    "nobody.example": [[]],
  };
  for (const name of [...Object.keys(names), "bücher.example", "v4.example.", "V4.EXAMPLE", "v4。example"])
    it(`behind the name ${name}`, async () => {
      const before = connections();
      await expectNothing(crawler(resolver(names)).read(`http://${name}:${forbidden.port}/`, inTime()), before);
    });

  const detours = [
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `//127.0.0.1:${port}/`,
    (port: number) => `http://[::1]:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: number) => `http://2130706433:${port}/`,
    (port: number) => `http://localhost:${port}/`,
    (port: number) => `http://v4.example:${port}/`,
    (port: number) => `http://user:password@127.0.0.1:${port}/`,
    (port: number) => `\\\\127.0.0.1:${port}\\`,
    (port: number) => `ftp://127.0.0.1:${port}/`,
    (port: number) => `gopher://127.0.0.1:${port}/_GET`,
    () => "file:///etc/hosts",
    () => "data:text/html,<p>hello</p>",
    () => "javascript:alert(1)",
    () => "http://",
  ];
  for (const detour of detours)
    it(`by a redirect to ${detour(1)}`, async () => {
      const before = connections();
      location = detour(forbidden.port);
      await expectNothing(crawler(resolver(names)).read(`${named.url}/`, inTime()), before);
    });

  it("by ten redirects, one after the other, and a last one", async () => {
    const before = connections();
    location = "/again";
    const asked = named.requests.length;
    await expectNothing(crawler().read(`${named.url}/`, inTime()), before);
    expect(named.requests.slice(asked).filter(({ path }) => path !== "/robots.txt")).to.have.lengthOf(11);
  });

  for (const userinfo of ["user@", "user:password@", "93.184.215.14:80@", "93.184.215.14%40"])
    it(`behind ${userinfo}`, async () => {
      const before = connections();
      await expectNothing(crawler().read(`http://${userinfo}127.0.0.1:${forbidden.port}/`, inTime()), before);
    });

  it("at a port that is none of the web, also of a host that is named with another one", async () => {
    const other = await startLoopback(() => page);
    for (const allowed of [[], [{ host: "127.0.0.1", port: null }]])
      expect(await crawler(undefined, allowed).read(other.url, inTime())).to.equal(null);
    expect(other.connections).to.equal(0);
    await other.close();
  });

  it("by a name whose answer changes: each connection has one look-up, whose answer is both judged and used", async () => {
    let asked = 0;
    const counting: Resolve = (_hostname, found) => {
      asked++;
      found(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const before = connections();
    const reader = crawler(counting, [{ host: "named.example", port: forbidden.port }]);
    expect(await reader.read(`http://named.example:${forbidden.port}/`, inTime())).to.deep.equal({ text: page.body });
    expect([asked, connections() - before]).to.deep.equal([2, 2]);
  });

  describe("through a proxy", () => {
    const through = async (resolve: Resolve, url: string) => {
      const proxy = await startProxy(forbidden.port);
      const hosts = new AllowedHosts([]);
      const dispatcher = publicConnections(hosts, { httpsProxy: proxy.url, noProxy: "" }, resolve);
      const reader = new Crawler({
        ...{ dispatcher, hosts, extractor: asItStands, concurrency: 1, maxBytes: 100_000, userAgent: "TestBot/1.0" },
      });
      await reader.read(url, inTime());
      await proxy.close();
      return proxy.asked;
    };

    it("asks for the address that was looked up here, not for the name", async () => {
      const asked = await through(resolver({ "www.example": [[publicAddress.address]] }), "https://www.example/");
      expect(asked).to.deep.equal(["93.184.215.14:443"]);
    });

    for (const [what, url] of [
      ["a name", "https://v4.example/"],
      ["an address", "https://127.0.0.1/"],
      ["an address by IPv6", "https://[::1]/"],
    ] as const)
      it(`asks for nothing where ${what} is not public`, async () => {
        expect(await through(resolver(names), url)).to.deep.equal([]);
      });

    it("asks for nothing more once a name's answer turns", async () => {
      const proxy = await startProxy(forbidden.port);
      const turning = resolver({ "turns.example": [[publicAddress.address], ["127.0.0.1"], [publicAddress.address]] });
      const dispatcher = publicConnections(new AllowedHosts([]), { httpsProxy: proxy.url, noProxy: "" }, turning);
      const failure = (): Promise<unknown> =>
        request("https://turns.example/", { dispatcher }).catch((error: unknown) => error);
      // What the proxy leads to speaks no TLS.
      expect(await failure()).not.to.be.instanceOf(ForbiddenAddress);
      expect(await failure()).to.be.instanceOf(ForbiddenAddress);
      expect(await failure()).not.to.be.instanceOf(ForbiddenAddress);
      await proxy.close();
      expect(proxy.asked).to.deep.equal(["93.184.215.14:443", "93.184.215.14:443"]);
    });
  });
});
