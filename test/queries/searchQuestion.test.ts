import { expect } from "chai";
import type { Search } from "../../queries/queries.js";
import type { Datasource } from "../../src/events/datasource.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toPosition } from "../../src/shared/position.js";
import { ReadModelUnavailable } from "../../src/shared/failures.js";
import { failed } from "../../src/shared/result.js";
import { eventsOn } from "../support/accessLanguage.js";
import { tokens } from "../support/readModelWriters.js";
import { openQuestions, type Questions } from "./questions.js";

const [wiki, jira, other] = [eventsOn("wiki"), eventsOn("jira"), eventsOn("other")];
const subs = [
  { name: "Space", key: "space", subs: [{ name: "Page", key: "page" }] },
  { name: "Blog", key: "blog", subs: [] },
];
const withSubs = ({ datasource }: { readonly datasource: Datasource }): DomainEvent => ({
  type: "DatasourceRegistered",
  data: { ...datasource, subs },
});
const whole = (datasource: string) => ({ datasource, sub: null, childSub: null });

describe("search", () => {
  let questions: Questions;
  beforeEach(async () => {
    questions = openQuestions();
    await questions.happened([
      withSubs(wiki),
      jira.opened(),
      wiki.registered("ann"),
      wiki.created("staff"),
      wiki.joins("ann", "staff"),
    ]);
  });
  afterEach(() => questions.close());

  const search = (question: Partial<Search> = {}) =>
    questions.queries.search({
      person: wiki.email("ann"),
      query: "word",
      count: 10,
      startPage: 0,
      datasources: null,
      fileTypes: null,
      modifiedFrom: null,
      modifiedTo: null,
      atLeast: null,
      ...question,
    });
  it("has no answer where nothing was found because there was no time to read", async () => {
    questions.search.page = { hits: [], total: 0, totalRelation: "gte", partial: true, isUnread: true };
    const error = await search().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ReadModelUnavailable);
    expect(error).to.include({ retryAfterSeconds: 1 });
    questions.search.page = { hits: [], total: 0, totalRelation: "gte", partial: true };
    expect((await search()).ok).to.equal(true);
  });

  const resolved = async (...datasources: string[]) => {
    await search({ datasources });
    return questions.search.requests.at(-1)?.filters.datasources;
  };

  it("passes on the question with what the person holds", async () => {
    await search({ query: "two words", count: 7, startPage: 2, fileTypes: ["pdf"], modifiedFrom: 1, modifiedTo: 2 });
    const [request] = questions.search.requests;
    const held = [
      tokens.anonymous(wiki.datasourceId),
      tokens.user(wiki.datasourceId, wiki.email("ann")),
      tokens.group(wiki.datasourceId, "staff"),
    ];
    expect(request).to.deep.equal({
      query: "two words",
      count: 7,
      startPage: 2,
      held: { key: request?.held.key, tokens: held },
      askedBy: "ann@example.org",
      filters: { datasources: null, fileTypes: ["pdf"], modifiedFrom: 1, modifiedTo: 2 },
    });
  });

  it("searches with no tokens for who is registered nowhere", async () => {
    await search({ person: wiki.email("nobody") });
    expect(questions.search.requests[0]?.held.tokens).to.deep.equal([]);
  });

  it("searches without the tokens of a parked datasource", async () => {
    await questions.happened([wiki.created("?")], { parked: true });
    await search();
    expect(questions.search.requests[0]?.held.tokens).to.deep.equal([]);
  });

  it("takes the spec's names whether registered or not, registered names, and compounds", async () => {
    expect(await resolved("confluence", "wiki", "jira")).to.deep.equal([
      whole("confluence"),
      whole("wiki"),
      whole("jira"),
    ]);
    expect(await resolved("wiki__space", "wiki__space__page")).to.deep.equal([
      { datasource: "wiki", sub: "space", childSub: null },
      { datasource: "wiki", sub: "space", childSub: "page" },
    ]);
    expect(await resolved("wiki", "wiki")).to.deep.equal([whole("wiki")]);
  });

  it("takes `other` for every datasource that is not named like one of the six", async () => {
    expect(await resolved("other")).to.deep.equal([whole("wiki")]);
    await questions.happened([other.opened()]);
    expect(await resolved("other", "wiki")).to.deep.equal([whole("other"), whole("wiki")]);
    await questions.happened([other.deleted(), wiki.deleted()]);
    expect(await resolved("other")).to.deep.equal([]);
  });

  it("answers alike whether a name or a sub is known or not, and finds nothing of what is not", async () => {
    expect(await resolved("files", "wiki__page", "jira__space", "confluence__a__b")).to.deep.equal([
      whole("files"),
      { datasource: "wiki", sub: "page", childSub: null },
      { datasource: "jira", sub: "space", childSub: null },
      { datasource: "confluence", sub: "a", childSub: "b" },
    ]);
    expect(await search({ datasources: ["files"] })).to.deep.equal(await search({ datasources: ["jira"] }));
  });

  for (const value of ["wiki__", "__wiki", "wiki__space__page__more", "WIKI", "wiki page", "1", "a".repeat(65), ""]) {
    it(`refuses the datasource filter "${value}"`, async () => {
      expect(await search({ datasources: ["jira", value] })).to.deep.equal(
        failed({ type: "UnknownDatasourceFilter", value }),
      );
      expect(questions.search.requests).to.deep.equal([]);
    });
  }

  it("refuses a query of which a part would not count", async () => {
    const query = `word ${Array.from({ length: 17 }, (_unused, n) => `-lorry${String.fromCharCode(97 + n)}`).join(" ")}`;
    expect(await search({ query })).to.deep.equal(failed({ type: "QueryTooLarge", of: "exclusions", found: 17 }));
    expect(questions.search.requests).to.deep.equal([]);
  });

  it("waits for the consistency token, but not for ever", async () => {
    const late = await search({ atLeast: toPosition(1_000) });
    expect(late.ok ? null : late.error.type).to.equal("NotYetConsistent");
    expect(await search({ atLeast: toPosition(1_001) })).to.deep.equal(failed({ type: "TokenBeyondLog" }));
    questions.logEndsAt(toPosition(1_001));
    const given = await search({ atLeast: toPosition(1_001) });
    expect(given.ok ? null : given.error.type).to.equal("NotYetConsistent");
    expect((await search({ atLeast: questions.search.projectedUpTo })).ok).to.equal(true);
  });
});
