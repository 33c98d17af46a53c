import { expect } from "chai";
import { createDocumentTexts, createInternalSearch } from "../../src/chat/internalSearch.js";
import type { SearchHit } from "../../src/readModels/search.js";
import { eventsOn } from "../support/accessLanguage.js";
import { tokens } from "../support/readModelWriters.js";
import { openQuestions, type Questions } from "../queries/questions.js";

const wiki = eventsOn("wiki");
const staff = tokens.group(wiki.datasourceId, "staff");
const everybody = tokens.anonymous(wiki.datasourceId);

describe("internal search", () => {
  let questions: Questions;
  beforeEach(async () => {
    questions = openQuestions();
    await questions.happened([wiki.opened(), wiki.created("staff"), wiki.registered("ann"), wiki.registered("bob")]);
    await questions.happened([wiki.joins("ann", "staff")]);
  });
  afterEach(() => questions.close());

  /** The index finds these, whoever asks: what is read is decided anew. */
  const found = (...ids: readonly string[]): void => foundBy("", ...ids);
  const foundBy = (snippet: string, ...ids: readonly string[]): void => {
    const { search } = questions;
    search.search = async (request) => {
      search.requests.push(request);
      const hits = ids.map((id) => ({ id: `wiki__${id}`, snippet }) as SearchHit);
      return { hits, total: hits.length, totalRelation: "eq" };
    };
  };
  const ask = (query: string, { email = "ann", count = 5, sources = null as readonly string[] | null } = {}) =>
    createInternalSearch(questions.queries).search({ person: wiki.email(email), query, count, sources });
  const put = (id: string, text: string, visibleTo = everybody, title = "Page"): void =>
    questions.search.put("wiki", id, [visibleTo], { text, title });

  it("answers with passages, and where they are from", async () => {
    put("travel", `# Costs\n\nReceipts are sent within three weeks.\n\n# Food\n\n${"Nothing else. ".repeat(200)}`);
    found("travel");
    const [passage, ...others] = await ask("By when must receipts be sent?");
    expect(passage).to.include({
      ...{ id: "wiki__travel", title: "Page", url: null, path: null, lastModified: null, datasource: "wiki" },
      text: "Costs\n\nReceipts are sent within three weeks.",
    });
    expect(others).to.deep.equal([]);
  });

  it("takes the words that the search took for those of the question", async () => {
    put("fire", "Der Löscher wird alle zwei Jahre geprüft.");
    found("fire");
    expect(await ask("Feuerlöschre")).to.deep.equal([]);
    foundBy("Der <mark>Löscher</mark> wird &lt;alle&gt;", "fire");
    expect((await ask("Feuerlöschre")).map(({ text }) => text)).to.deep.equal([
      "Der Löscher wird alle zwei Jahre geprüft.",
    ]);
  });

  it("reads as the person: what the person may not see is left out", async () => {
    put("secret", "The merger is in May.", staff);
    put("open", "The merger is a rumour.");
    found("secret", "open");
    expect((await ask("merger")).map(({ id }) => id)).to.deep.equal(["wiki__secret", "wiki__open"]);
    expect((await ask("merger", { email: "bob" })).map(({ id }) => id)).to.deep.equal(["wiki__open"]);
    expect(await ask("merger", { email: "nobody" })).to.deep.equal([]);
  });

  it("reads whole texts as the person", async () => {
    const whole = `The merger is in May.\n${"Nothing else. ".repeat(20_000)}`;
    put("secret", whole, staff);
    const { signal } = new AbortController();
    const read = (name: string, id: string) =>
      createDocumentTexts(questions.queries).read(wiki.email(name), `wiki__${id}`, signal);
    expect((await read("ann", "secret")) === whole).to.equal(true);
    expect([await read("bob", "secret"), await read("ann", "gone")]).to.deep.equal([null, null]);
  });

  it("leaves out what vanished, changed or was closed while it was read", async () => {
    for (const change of ["vanish", "change", "close"]) {
      put("page", "The merger\nis in May.");
      found("page", "gone");
      let reads = 0;
      questions.search.beforeText = () => {
        reads += 1;
        if (reads < 2) return;
        if (change === "vanish") questions.search.versions.clear();
        if (change === "change" && reads === 2) put("page", "The merger\nis off.", everybody, "Another");
        if (change === "close") put("page", "The merger\nis in May.", staff);
      };
      expect(await ask("merger", { email: "bob" }), change).to.deep.equal([]);
      questions.search.beforeText = () => undefined;
    }
  });

  it("asks as people ask: nothing is required or forbidden, and nothing is too long", async () => {
    found();
    await ask('is "remote work" allowed -or not? "');
    await ask("word".repeat(1) + Array.from({ length: 500 }, (_word, at) => ` w${at}`).join(""), { sources: ["wiki"] });
    const [first, second] = questions.search.requests;
    expect(first?.query).to.equal("is “remote work” allowed or not?  ");
    expect(first?.filters.datasources).to.equal(null);
    expect(second?.query).to.match(/^word w0 w1/);
    expect(second?.filters.datasources).to.deep.equal([{ datasource: "wiki", sub: null, childSub: null }]);
    expect(await ask("merger", { sources: ["No Name!"] })).to.deep.equal([]);
  });

  it("asks what is asked in a long text, wherever that stands", async () => {
    found();
    const filler = Array.from({ length: 60 }, (_word, at) => `thing${at}`).join(" ");
    for (const text of [`${filler}. How many days off are there?`, `How many days off are there? ${filler}.`])
      await ask(text);
    for (const { query } of questions.search.requests) expect(query.trim()).to.equal("How many days off are there?");
  });

  it("reads a bounded part of very long documents, to the end of a part", async () => {
    const line = `${"Nothing stands here. ".repeat(5_000)}\n`;
    put("long", `The merger is told of first.\n${line.repeat(12)}The merger again.`);
    found("long");
    let reads = 0;
    questions.search.beforeText = () => (reads += 1);
    expect(await ask("merger")).to.have.lengthOf(1);
    expect(reads).to.equal(11);
  });
});
