import { expect } from "chai";
import { toDatasourceName, toDocumentId } from "../../src/shared/ids.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

const wiki = toDatasourceName("wiki");

/** What hits and point reads tell of a document. */
export function searchIndexPresentationContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki", subs: { team: ["north"] } }));
  });
  afterEach(() => scenario.close());

  const card = {
    id: "wiki__a.b-c_1",
    title: "Harbour <rules>",
    datasource: "wiki",
    sub: "team",
    childSub: "north",
    fileType: "file",
    path: "a > b",
    pathPreview: "https://example.org/a.b-c_1",
    author: "Ada",
    lastModified: "2024-01-15T10:00:00+02:00",
  };
  const customProperties = [
    { name: "colour", value: "red" },
    { name: "size", value: 1.5 },
    { name: "ready", value: false },
  ];
  const file = { mimeType: "application/pdf", title: "Rules", pageCount: 3, ocrUsed: true } as const;
  const givenTheDocument = (access?: { readonly groups: readonly string[] }) =>
    scenario.given(
      scenario.document({
        id: "a.b-c_1",
        title: card.title,
        text: 'Ships enter the "harbour" & <b>leave</b> it.',
        fileType: "file",
        mimeType: "application/pdf",
        lastModified: card.lastModified,
        sub: "team",
        childSub: "north",
        customProperties,
        file,
        access,
      }),
    );

  it("gives a hit its card and a passage that is escaped but for the marks", async () => {
    await givenTheDocument();
    const { hits } = await scenario.search("harbour");
    expect(hits.map(({ score: _score, ...hit }) => hit)).to.deep.equal([
      { ...card, snippet: "Ships enter the &quot;<mark>harbour</mark>&quot; &amp; &lt;b&gt;leave&lt;/b&gt; it." },
    ]);
  });

  it("shows no marks of Markdown in passages, but those of source code, and moves no match", async () => {
    const cases: readonly (readonly [mimeType: string, text: string, snippet: string])[] = [
      ["text/markdown", "## The **harbour**\n\nOpen *daily*.", "The <mark>harbour</mark> Open *daily*."],
      ["text/plain", "# Rules\n\n**The harbour** of `north`", "Rules The <mark>harbour</mark> of north"],
      [
        "text/plain",
        "See [the harbour](https://a.example/x_(1 'y) now",
        "See [the <mark>harbour</mark>](https://a.example/x_(1 &#39;y) now",
      ],
      [
        "text/plain",
        "See ![a](i.png) [the **harbour**](https://a.example/x) now",
        "See a the <mark>harbour</mark> now",
      ],
      ["text/plain", "| Place | Rate |\n|---|---:|\n| harbour | 5 |", "Place Rate <mark>harbour</mark> 5"],
      ["text/markdown", "Place | Rate\nharbour | 5", "Place Rate <mark>harbour</mark> 5"],
      ["text/plain", "cat harbour | wc 2 ** 3 ** 4 a[0](b)", "cat <mark>harbour</mark> | wc 2 ** 3 ** 4 a[0](b)"],
      ["text/plain", "```sh\nharbour --open\n```\nDone", "<mark>harbour</mark> --open Done"],
      ["application/x-sh", "# harbour\necho `date`", "# <mark>harbour</mark> echo `date`"],
    ];
    await scenario.given(
      ...cases.map(([mimeType, text], at) => scenario.document({ id: `d${at}`, title: "Text", text, mimeType })),
    );
    const { hits } = await scenario.search("harbour");
    const shown = new Map(hits.map(({ id, snippet }) => [id, snippet]));
    for (const [at, [, text, snippet]] of cases.entries()) expect(shown.get(`wiki__d${at}`), text).to.equal(snippet);
  });

  it("finds one document with its details and tokens", async () => {
    await givenTheDocument({ groups: ["pilots", "cooks"] });
    const found = await scenario.reader.find(wiki, toDocumentId("a.b-c_1"));
    expect(found?.details).to.deep.equal({
      ...card,
      mimeType: "application/pdf",
      size: 44,
      customProperties,
      file,
      indexedAt: "2024-05-01T10:00:00.000Z",
    });
    const groups = scenario.holding({ groups: ["pilots", "cooks"] }).tokens.slice(1);
    expect(found?.tokens)
      .to.have.members([...groups])
      .and.to.have.length(2);
  });

  it("finds neither what never was, nor what was deleted, nor another datasource's", async () => {
    await scenario.given(
      scenario.document({ id: "gone", text: "harbour" }),
      scenario.document({ id: "kept", text: "harbour" }),
    );
    await scenario.given(scenario.deleted("gone"), scenario.deleted("never-was"));
    for (const [name, id] of [
      ["wiki", "gone"],
      ["wiki", "never-was"],
      ["tickets", "kept"],
    ] as const) {
      expect(await scenario.reader.find(toDatasourceName(name), toDocumentId(id))).to.equal(null);
      expect(await scenario.reader.text(toDatasourceName(name), toDocumentId(id))).to.equal(null);
    }
    expect(await scenario.found("harbour")).to.deep.equal(["kept"]);
  });

  it("finds ids that hold the separator", async () => {
    await scenario.given(scenario.document({ id: "a__b", text: "harbour" }));
    expect((await scenario.search("harbour")).hits.map((hit) => hit.id)).to.deep.equal(["wiki__a__b"]);
    expect((await scenario.reader.find(wiki, toDocumentId("a__b")))?.details.id).to.equal("wiki__a__b");
  });

  it("gives texts back as they were, empty and long ones too", async () => {
    const long = `${"😀".repeat(99_999)}x${"ä".repeat(150_000)} lighthouse`;
    await scenario.given(
      scenario.document({ id: "empty", title: "harbour", text: "" }),
      scenario.document({ id: "long", title: "harbour", text: long }),
    );
    expect(await scenario.reader.text(wiki, toDocumentId("empty"))).to.equal("");
    expect((await scenario.reader.text(wiki, toDocumentId("long"))) === long).to.equal(true);
    const part = (id: string, number: number) => scenario.reader.textPart(wiki, toDocumentId(id), number);
    expect(await part("empty", 0)).to.deep.equal({ text: "", parts: 1 });
    const first = await part("long", 0);
    const parts = [first?.text];
    for (let number = 1; number < (first?.parts ?? 0); number++) parts.push((await part("long", number))?.text);
    expect(parts.length).to.be.greaterThan(1);
    expect(parts.join("") === long).to.equal(true);
    expect([await part("long", parts.length), await part("empty", 1), await part("none", 0)]).to.deep.equal([
      null,
      null,
      null,
    ]);
    expect(await scenario.found("lighthouse")).to.deep.equal(["long"]);
    expect((await scenario.search("harbour")).hits.find((hit) => hit.id === "wiki__empty")?.snippet).to.equal("");
  });

  it("cuts the passage from the newest version", async () => {
    await scenario.given(scenario.document({ id: "a", text: "harbour in fog" }));
    await scenario.given(scenario.document({ id: "a", text: "harbour in sunlight" }));
    expect((await scenario.search("harbour")).hits.map((hit) => hit.snippet)).to.deep.equal([
      "<mark>harbour</mark> in sunlight",
    ]);
    expect(await scenario.found("fog")).to.deep.equal([]);
  });
}
