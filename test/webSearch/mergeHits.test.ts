import { expect } from "chai";
import fc from "fast-check";
import { hostsOf, isOnSites, pageAddress, sameness, toSite } from "../../src/webSearch/addresses.js";
import { mergeHits } from "../../src/webSearch/createWebSearch.js";

const hit = (url: string) => ({ url, title: url, description: "", content: "" });
const merged = (lists: readonly (readonly string[])[], terms: { count?: number; sites?: readonly string[] } = {}) =>
  mergeHits(
    lists.map((urls, at) => ({ query: `q${at}`, hits: urls.map(hit) })),
    { count: terms.count ?? 10, sites: terms.sites ?? null },
  );
const urls = (...asked: Parameters<typeof merged>): readonly string[] => merged(...asked).map(({ url }) => url);

describe("hits of several queries", () => {
  it("take turns, the best of each query first", () => {
    expect(
      urls([["http://a/1", "http://a/2", "http://a/3"], ["http://b/1"], ["http://c/1", "http://c/2"]]),
    ).to.deep.equal([...["http://a/1", "http://b/1", "http://c/1", "http://a/2", "http://c/2", "http://a/3"]]);
  });

  it("lose no turn by what another query has found, which counts for whoever found it first", () => {
    const found = merged([
      ["http://a/1", "http://a/2"],
      ["http://a/1", "http://b/1"],
    ]);
    expect(found.map(({ url, query }) => [url, query])).to.deep.equal([
      ...[
        ["http://a/1", "q0"],
        ["http://b/1", "q1"],
        ["http://a/2", "q0"],
      ],
    ]);
  });

  it("are as many as asked for, on the sites that were asked for", () => {
    expect(urls([["http://a/1", "http://a/2"], ["http://b/1"]], { count: 2 })).to.deep.equal([
      "http://a/1",
      "http://b/1",
    ]);
    const some = ["https://a.example/", "https://docs.a.example/", "https://www.a.example/x", "https://nota.example/"];
    expect(urls([some], { sites: ["a.example"] })).to.deep.equal(some.slice(0, 3));
  });

  it("are one where scheme, www, slash, fragment, order or what tracks tells them apart", () => {
    const same = [
      "http://a.example/x?b=2&a=1",
      "https://www.a.example/x/?a=1&b=2&utm_source=n#top",
      "https://A.example/x?gclid=1&a=1&b=2",
    ];
    expect(urls([same])).to.deep.equal(["http://a.example/x?b=2&a=1"]);
  });

  it("are apart by every other parameter, by path and by port", () => {
    const other = ["http://a/?v=1", "http://a/?v=2", "http://a/x", "http://a/X", "http://a:81/x"];
    expect(urls([other])).to.deep.equal(other);
  });

  it("lose what tracks, and nothing else", () => {
    expect(urls([["https://a.example/x?utm_source=n&q=%C3%A4+b&fbclid=1#part"]])).to.deep.equal([
      "https://a.example/x?q=%C3%A4+b#part",
    ]);
    expect(urls([["https://a.example/x?q=a%20b&c"]])).to.deep.equal(["https://a.example/x?q=a%20b&c"]);
  });

  it("are addresses of the web", () => {
    expect(
      urls([["javascript:alert(1)", "http://user:word@a/", "data:,x", "ftp://a/", "nonsense", "", "http://a/"]]),
    ).to.deep.equal(["http://a/"]);
  });

  it("hold each page once, and all that there is room for, whatever is found", () => {
    const url = fc.integer({ min: 0, max: 12 }).map((page) => `http://a/${page}`);
    fc.assert(
      fc.property(fc.array(fc.array(url), { maxLength: 5 }), fc.integer({ min: 1, max: 15 }), (lists, count) => {
        const different = new Set(lists.flat());
        const found = urls(lists, { count });
        expect(new Set(found).size).to.equal(found.length);
        expect(found.length).to.equal(Math.min(count, different.size));
      }),
    );
  });
});

describe("sites", () => {
  it("are hosts, with or without a scheme and a path", () => {
    for (const site of ["example.com", "EXAMPLE.com", "https://example.com", "http://example.com/"])
      expect(toSite(site), site).to.equal("example.com");
    expect(toSite("bücher.example")).to.equal("xn--bcher-kva.example");
    for (const site of ["example.com/docs", "https://example.com/docs/", "HTTP://Example.com/docs"])
      expect(toSite(site), site).to.equal("example.com/docs");
  });

  it("with a path hold what lies below it, and engines are asked for their hosts", () => {
    const isHeld = (url: string) => isOnSites(pageAddress(url) as URL, ["example.com/docs"]);
    for (const url of ["https://example.com/docs", "https://www.example.com/docs/a", "http://a.example.com/docs/?b=1"])
      expect(isHeld(url), url).to.equal(true);
    for (const url of ["https://example.com/", "https://example.com/docsets", "https://other.com/docs"])
      expect(isHeld(url), url).to.equal(false);
    expect(hostsOf(["example.com/docs", "example.com", "b.example/x"])).to.deep.equal(["example.com", "b.example"]);
    expect(hostsOf(null)).to.equal(null);
  });

  it("are nothing that an engine would take for more", () => {
    const others = [
      "",
      " ",
      "a b",
      "example.com:81",
      "a.example\n$boost",
      "u@a.example",
      "a?b",
      "[::1]",
      "a,b",
      "a)b",
      "*.a",
    ];
    for (const site of others) expect(toSite(site), site).to.equal(undefined);
  });

  it("hold the hosts below them, whatever stands before", () => {
    const address = (url: string) => pageAddress(url) as URL;
    expect(isOnSites(address("https://a.example/"), ["www.a.example"])).to.equal(true);
    expect(isOnSites(address("https://a.example.evil/"), ["a.example"])).to.equal(false);
    expect(isOnSites(address("https://any/"), null)).to.equal(true);
    expect(sameness(address("https://www.a.example/"))).to.equal(sameness(address("http://a.example")));
  });
});
