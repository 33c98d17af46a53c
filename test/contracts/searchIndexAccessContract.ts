import { expect } from "chai";
import * as fc from "fast-check";
import { toDatasourceName, toDocumentId } from "../../src/shared/ids.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { noFilters, SearchScenario, type Person, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/**
 * Who sees what (spec: Visibility rules): a person sees a document where they share a token, and nothing hints at
 * others.
 */
export function searchIndexAccessContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki" }), scenario.datasource({ name: "tickets" }));
  });
  afterEach(() => scenario.close());

  it("shows anonymous documents to everyone registered on their datasource, and to no one else", async () => {
    await scenario.given(scenario.document({ id: "open", text: "harbour" }));
    expect(await scenario.found("harbour")).to.deep.equal(["open"]);
    expect(await scenario.found("harbour", { as: { registeredOn: ["tickets"] } })).to.deep.equal([]);
    expect(await scenario.found("harbour", { as: { registeredOn: [] } })).to.deep.equal([]);
  });

  it("shows a document to the listed people and to members of the listed groups", async () => {
    await scenario.given(
      scenario.document({
        id: "both",
        text: "harbour",
        access: { users: ["ada@example.org" as never], groups: ["pilots"] },
      }),
    );
    expect(await scenario.found("harbour", { as: { email: "ada@example.org" } })).to.deep.equal(["both"]);
    expect(await scenario.found("harbour", { as: { email: "bob@example.org", groups: ["pilots"] } })).to.deep.equal([
      "both",
    ]);
    expect(await scenario.found("harbour", { as: { email: "bob@example.org", groups: ["cooks"] } })).to.deep.equal([]);
  });

  it("shows a document without grants to nobody", async () => {
    await scenario.given(scenario.document({ id: "nobodys", text: "harbour", access: {} }));
    expect(await scenario.found("harbour", { as: { email: "ada@example.org", groups: ["pilots"] } })).to.deep.equal([]);
  });

  it("keeps groups of the same name on different datasources apart", async () => {
    const access = { groups: ["pilots"] };
    await scenario.given(
      scenario.document({ id: "in-wiki", text: "harbour", access }),
      scenario.document({ id: "in-tickets", datasource: "tickets", text: "harbour", access }),
    );
    expect(await scenario.found("harbour", { as: { groups: ["pilots"] } })).to.deep.equal(["in-wiki"]);
    const both = { registeredOn: ["wiki", "tickets"], groups: ["pilots"] };
    expect(await scenario.found("harbour", { as: both })).to.have.members(["in-wiki", "in-tickets"]);
  });

  it("goes by the access of the last version", async () => {
    const version = (groups: readonly string[]) =>
      scenario.document({ id: "moving", text: "harbour", access: { groups } });
    await scenario.given(version(["pilots"]));
    expect(await scenario.found("harbour", { as: { groups: ["pilots"] } })).to.deep.equal(["moving"]);
    await scenario.given(version(["cooks"]));
    expect(await scenario.found("harbour", { as: { groups: ["pilots"] } })).to.deep.equal([]);
    expect(await scenario.found("harbour", { as: { groups: ["cooks"] } })).to.deep.equal(["moving"]);
    await scenario.given(version(["pilots"]), version([]));
    expect(await scenario.found("harbour", { as: { groups: ["pilots", "cooks"] } })).to.deep.equal([]);
  });

  it("takes a document out of service where the text of its newest version is gone", async () => {
    await scenario.given(scenario.document({ id: "moving", text: "harbour", access: { groups: ["pilots"] } }));
    const newest = scenario.document({ id: "moving", text: "lighthouse", access: { groups: ["cooks"] } });
    scenario.erase("lighthouse");
    await scenario.given(newest);
    expect(await scenario.found("harbour", { as: { groups: ["pilots", "cooks"] } })).to.deep.equal([]);
    expect(await scenario.reader.find(toDatasourceName("wiki"), toDocumentId("moving"))).to.equal(null);
  });

  it("takes a document out of service while its event is parked", async () => {
    await scenario.given(
      scenario.document({ id: "moving", text: "harbour" }),
      scenario.document({ id: "other", text: "harbour" }),
    );
    await scenario.parked(scenario.document({ id: "moving", text: "harbour" }));
    expect(await scenario.found("harbour")).to.deep.equal(["other"]);
  });

  it("takes a datasource out of service while an event of it is parked", async () => {
    await scenario.given(
      scenario.document({ id: "a", text: "harbour" }),
      scenario.document({ id: "b", datasource: "tickets", text: "harbour" }),
    );
    await scenario.parked(scenario.subRemoved("wiki", "gone"));
    expect(await scenario.found("harbour", { as: { registeredOn: ["wiki", "tickets"] } })).to.deep.equal(["b"]);
    expect(await scenario.reader.find(toDatasourceName("wiki"), toDocumentId("a"))).to.equal(null);
  });

  it("counts visible documents alone", async () => {
    const documents = Array.from({ length: 30 }, (_, n) =>
      scenario.document({ id: `d${n}`, text: "harbour", access: { groups: [n < 7 ? "pilots" : "cooks"] } }),
    );
    await scenario.given(...documents);
    const { total, totalRelation, hits } = await scenario.search("harbour", { as: { groups: ["pilots"] }, count: 5 });
    expect({ total, totalRelation, hits: hits.length }).to.deep.equal({ total: 7, totalRelation: "eq", hits: 5 });
    expect((await scenario.search("harbour", { as: { groups: ["sailors"] } })).total).to.equal(0);
  });

  it("neither corrects a word nor refuses to by documents that are not visible", async () => {
    const secret = { groups: ["board"] };
    await scenario.given(
      scenario.document({ id: "seen", text: "the zephyrius approaches" }),
      ...Array.from({ length: 40 }, (_, n) =>
        scenario.document({ id: `secret${n}`, text: "the zephyrium approaches", access: secret }),
      ),
    );
    // "zephyrium" is known to the index but not to this person, for whom it is a misspelling like any other.
    expect(await scenario.found("zephyrium")).to.deep.equal(["seen"]);
    expect(await scenario.found("zephyriun")).to.deep.equal(["seen"]);
    expect(await scenario.found("zephyrium", { as: { registeredOn: [] } })).to.deep.equal([]);
  });

  it("answers exactly what a naive filter lets through, whatever the documents, people and filters", async () => {
    const names = ["a", "b", "c"] as const;
    const access = fc.record({
      anonymous: fc.boolean(),
      users: fc.subarray(["ada@example.org", "bob@example.org"]),
      groups: fc.subarray([...names]),
    });
    const documents = fc.array(
      fc.record({
        datasource: fc.constantFrom("wiki", "tickets"),
        id: fc.constantFrom("1", "2", "3", "4", "5", "6"),
        access,
        type: fc.constantFrom("wiki", "issue", "page"),
      }),
      { maxLength: 20 },
    );
    const person = fc.record({
      email: fc.constantFrom("ada@example.org", "bob@example.org"),
      registeredOn: fc.subarray(["wiki", "tickets"]),
      groups: fc.subarray([...names]),
    });
    const filters = fc.record({
      datasources: fc.option(fc.subarray(["wiki", "tickets"]), { nil: null }),
      fileTypes: fc.option(fc.subarray(["wiki", "issue", "page"] as const), { nil: null }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(documents, person, filters, async (versions, who, { datasources, fileTypes }) => {
        const word = `harbour${++run}x`;
        const last = new Map(versions.map((version) => [`${version.datasource}__${version.id}x${run}`, version]));
        await scenario.given(
          ...versions.map(({ datasource, id, access: granted, type }) =>
            scenario.document({ datasource, id: `${id}x${run}`, text: word, fileType: type, access: granted as never }),
          ),
        );
        const isVisible = ({ datasource, access: { anonymous, users, groups } }: (typeof versions)[number]): boolean =>
          who.registeredOn.includes(datasource) &&
          (anonymous || users.includes(who.email) || groups.some((name) => who.groups.includes(name)));
        const expected = [...last]
          .filter(([, version]) => isVisible(version))
          .filter(([, version]) => datasources === null || datasources.includes(version.datasource))
          .filter(([, version]) => fileTypes === null || fileTypes.includes(version.type as never))
          .map(([id]) => id);
        const filter = {
          ...noFilters,
          fileTypes,
          datasources: datasources?.map((datasource) => ({ datasource, sub: null, childSub: null })) ?? null,
        };
        const page = await scenario.search(word, { as: who as Person, filters: filter });
        expect(page.hits.map((hit) => hit.id)).to.have.members(expected);
        expect(page.total).to.equal(expected.length);
      }),
      propertyRuns(60),
    );
  });
}
