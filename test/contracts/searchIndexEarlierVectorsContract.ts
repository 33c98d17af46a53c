import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Embedder } from "../../projections/search/ports.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { Synonyms } from "../support/models/synonyms.js";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Two places for versions of one index. */
export interface VersionsUnderTest {
  /** Opens the version that is served first, empty. */
  openEarlier(embedder: Embedder): Promise<SearchIndexUnderTest>;
  /** Opens the one that takes its place, empty; it may take over from the earlier one. */
  open(embedder: Embedder): Promise<SearchIndexUnderTest>;
  /** Makes what the earlier one has stored unreadable, or takes it away. */
  damageEarlier(damage: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * What is taken over from a version of the index that was served before.
 *
 * @param damages what may have become of that version, in words
 */
export function searchIndexEarlierVectorsContract(
  openVersions: () => Promise<VersionsUnderTest>,
  damages: readonly string[],
): void {
  let versions: VersionsUnderTest;
  let opened: SearchScenario[];
  let synonyms: Synonyms;

  beforeEach(async () => {
    versions = await openVersions();
    opened = [];
    synonyms = new Synonyms();
  });
  afterEach(async () => {
    for (const scenario of opened) await scenario.close();
    await versions.close();
  });

  type Events = (scenario: SearchScenario) => readonly DomainEvent[];
  const long = Array.from({ length: 300 }, (_unused, n) => `Nothing in sentence ${n}.`).join(" ");
  const documents: Events = (scenario) => [
    scenario.datasource({ name: "wiki" }),
    scenario.document({ id: "a", text: "automobile" }),
    scenario.document({ id: "b", text: "vacation" }),
    scenario.document({ id: "long", text: `${long}\n\n# Fleet\n\nEach automobile is washed.\n\n# Rest\n\n${long}` }),
    scenario.document({ id: "empty", title: "wagen" }),
  ];
  const fill = async (index: SearchIndexUnderTest, events: Events): Promise<SearchScenario> => {
    const scenario = new SearchScenario(index);
    opened.push(scenario);
    await scenario.given(...events(scenario));
    return scenario;
  };
  const isWhole = async ({ reader }: SearchScenario, { model }: Embedder): Promise<void> => {
    while ((await reader.withoutVectors(model)) > 0) await nextTurn();
  };
  /** What the next version shows to its model. */
  const shownBy = async (next: Synonyms, events: Events): Promise<readonly string[]> => {
    next.shown.length = 0;
    await isWhole(await fill(await versions.open(next), events), next);
    return next.shown;
  };
  const given = async (events: Events = documents): Promise<SearchScenario> => {
    const scenario = await fill(await versions.openEarlier(synonyms), events);
    await isWhole(scenario, synonyms);
    return scenario;
  };
  const last = (): SearchScenario => opened.at(-1) as SearchScenario;

  it("takes over all of an index that is unchanged, and answers as it did", async () => {
    const earlier = await given();
    expect(await shownBy(synonyms, documents)).to.deep.equal([]);
    for (const query of ["car", "holiday", "wagen"]) {
      const options = { meaning: synonyms.meaning(query, 0.1), explain: true } as const;
      const expected = await earlier.search(query, options);
      expect(expected.total).to.be.above(0);
      expect(await last().search(query, options)).to.deep.equal(expected);
    }
  });

  it("shows the model what has another title or text, and what is new, once", async () => {
    await given();
    const shown = await shownBy(synonyms, (scenario) => [
      ...documents(scenario),
      scenario.document({ id: "a", text: "automobile and wages" }),
      scenario.document({ id: "b", title: "Leave", text: "vacation" }),
      scenario.document({ id: "new", text: "automobile" }),
    ]);
    expect([...shown].sort()).to.deep.equal(["Leave\nvacation", "a\nautomobile and wages", "new\nautomobile"]);
  });

  it("takes over nothing of what is gone, and lets nobody see by what it was seen before", async () => {
    await given();
    const shown = await shownBy(synonyms, (scenario) => [
      ...documents(scenario),
      scenario.deleted("long"),
      scenario.document({ id: "a", text: "automobile", access: { groups: ["board"] } }),
    ]);
    expect(shown.filter((text) => !text.startsWith("a\n"))).to.deep.equal([]);
    const options = { meaning: synonyms.meaning("car") };
    expect(await last().found("car", options)).to.deep.equal(["empty"]);
    const board = { ...options, as: { groups: ["board"] } };
    expect(await last().found("car", board)).to.have.members(["a", "empty"]);
  });

  for (const [change, next] of [
    ["name", new Synonyms("another")],
    ["length", new Synonyms("synonyms", 3)],
  ] as const)
    it(`takes over none of a model of another ${change} once it makes vectors`, async () => {
      const many: Events = (scenario) => [
        ...documents(scenario),
        ...Array.from({ length: 40 }, (_unused, n) => scenario.document({ id: `many ${n}`, text: "blaze" })),
      ];
      await given(many);
      const events: Events = (scenario) => [...many(scenario), scenario.document({ id: "new", text: "an automobile" })];
      const shown = await shownBy(next, events);
      expect(shown).to.include.members(["a\nautomobile", "b\nvacation", "wagen"]);
      expect(shown.filter((text) => text === "a\nautomobile")).to.have.length(1);
      expect(await last().found("car", { meaning: next.meaning("car", 0.1) })).to.include.members(["a", "new", "long"]);
    });

  it("asks the model again for what it has refused before", async () => {
    synonyms.refuses = (text) => text.includes("vacation");
    await given();
    synonyms.refuses = () => false;
    expect(await shownBy(synonyms, documents)).to.deep.equal(["b\nvacation"]);
  });

  it("asks the model for what the earlier version has not had yet", async () => {
    synonyms.isDown = true;
    await fill(await versions.openEarlier(synonyms), documents);
    const next = new Synonyms();
    expect(await shownBy(next, documents)).to.include.members(["a\nautomobile", "b\nvacation", "wagen"]);
  });

  for (const damage of damages)
    it(`asks the model for everything where the earlier version ${damage}`, async () => {
      await given();
      await versions.damageEarlier(damage);
      expect(await shownBy(synonyms, documents)).to.include.members(["a\nautomobile", "b\nvacation", "wagen"]);
    });
}
