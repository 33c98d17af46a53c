import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import type { ExplainedMatch, ExplainedWord, Explanation } from "../../src/readModels/explanation.js";
import type { SearchPage } from "../../src/readModels/search.js";
import { createWorld, kindsOfQueries, questionsOf, searchingPerson } from "./pairedWorlds.js";
import { SearchScenario, type DocumentOptions, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** Scores are kept with some seven digits. */
const digits = 1e-5;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= digits * Math.max(1, Math.abs(a), Math.abs(b));
const sum = (parts: readonly { readonly score: number }[]): number => parts.reduce((all, { score }) => all + score, 0);

/** What is wrong with the sums of an explanation. */
function faultsOf({ score: total, languageFactor, words, bonuses, scored }: Explanation): readonly string[] {
  const matches = words.flatMap((word) => word.matches);
  return [
    ...(scored === "place" || isNear(languageFactor * (sum(words) + sum(bonuses)), total) ? [] : ["total"]),
    ...words
      .filter((word) => !isNear(word.score, Math.max(0, ...word.matches.map(({ score }) => score))))
      .map(({ word }) => word),
    ...matches
      .filter(({ weight, rarity, share, score }) => !isNear(weight * rarity * share, score))
      .map(({ reading }) => reading),
    ...matches
      .filter(({ occurrences, fields }) => occurrences < 1 || fields.length === 0)
      .map(({ reading }) => reading),
    ...bonuses.filter(({ score }) => !(score > 0)).map(({ bonus }) => bonus),
  ];
}

/** Every hit is explained by what adds up to its score, and the totals fall as the hits do. */
export function expectSums({ hits }: SearchPage, question: string): void {
  for (const { id, score, explanation } of hits) {
    expect(explanation?.score, `${question}: ${id}`).to.equal(score);
    expect(explanation && faultsOf(explanation), `${question}: ${id} ${JSON.stringify(explanation)}`).to.deep.equal([]);
  }
  const totals = hits.map(({ explanation }) => explanation?.score ?? NaN);
  expect(totals, question).to.deep.equal(totals.toSorted((a, b) => b - a));
}

/** Hits say why they are where they are, where that is asked for. */
export function searchIndexExplanationContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(scenario.datasource({ name: "wiki", searchable: ["colour"] }));
  });
  afterEach(() => scenario.close());

  const bare = { author: null, path: null, pathPreview: null } as const;
  const given = (...documents: readonly DocumentOptions[]): Promise<void> =>
    scenario.given(...documents.map((document) => scenario.document({ ...bare, ...document })));

  const explained = async (
    query: string,
    options: Parameters<SearchScenario["search"]>[1] = {},
  ): Promise<ReadonlyMap<string, Explanation>> => {
    const page = await scenario.search(query, { ...options, explain: true });
    if (options.sort === undefined) expectSums(page, query);
    return new Map(
      page.hits.map(({ id, explanation }) => [id.slice(id.indexOf("__") + 2), explanation as Explanation]),
    );
  };
  const matchOf = ({ words }: Explanation): ExplainedMatch =>
    words.flatMap(({ matches }) => matches)[0] as ExplainedMatch;
  const readingsOf = (words: readonly ExplainedWord[] = []): readonly (readonly [string, string, string])[] =>
    words.flatMap(({ word, matches }) =>
      matches.map(({ reading, written }) => [word, reading, written.join()] as const),
    );

  it("say nothing unless they are asked", async () => {
    await given({ id: "one", text: "a lighthouse" });
    const { hits } = await scenario.search("lighthouse");
    expect(hits.map((hit) => Object.keys(hit).includes("explanation"))).to.deep.equal([false]);
  });

  it("say where a word stands, and how it is written there", async () => {
    await given(
      { id: "title", title: "Leuchttürme" },
      { id: "text", text: "Die Leuchttürme. Ein Leuchtturm!" },
      { id: "author", author: "Ada Leuchtturm" },
      { id: "file", path: "notes/leuchtturm.md" },
      { id: "folder", path: "Leuchtturm/notes.md" },
      { id: "property", customProperties: [{ name: "colour", value: "leuchtturm" }] },
    );
    const found = await explained("Leuchtturm ");
    const places = [...found].map(([id, explanation]) => {
      const { fields, written, weight } = matchOf(explanation);
      return [id, fields, written, weight];
    });
    expect(places).to.have.deep.members([
      ["title", [{ field: "title", weight: 2 }], ["Leuchttürme"], 1],
      ["text", [{ field: "text", weight: 1 }], ["Leuchttürme", "Leuchtturm"], 1],
      ["author", [{ field: "author", weight: 1 }], ["Leuchtturm"], 1],
      ["file", [{ field: "file_name", weight: 1 }], ["leuchtturm"], 1],
      ["folder", [{ field: "folder", weight: 1 }], ["Leuchtturm"], 1],
      ["property", [{ field: "property", weight: 1 }], ["leuchtturm"], 1],
    ]);
    expect(matchOf(found.get("title") as Explanation)).to.include({ reading: "as_typed", occurrences: 2 });
    expect(matchOf(found.get("text") as Explanation)).to.include({ reading: "as_typed", occurrences: 2 });
  });

  it("say as what a word was read", async () => {
    await given(
      { id: "rent", text: "Die Mietkaution ist hinterlegt." },
      { id: "light", text: "Der Feuerlöscher steht im Flur." },
      { id: "code", text: "the retryBackoffMillis of a client" },
      { id: "parts", text: "retry, and backoff" },
      { id: "home", text: "Das Homeoffice ist erlaubt." },
      { id: "cars", title: "Driving", text: "This is where you park, and where the car is." },
      { id: "rain", text: "Der Regen und der Schirm." },
    );
    const readings = async (query: string, id: string): Promise<readonly (readonly [string, string, string])[]> =>
      readingsOf((await explained(query)).get(id)?.words);
    expect(await readings("kaution ", "rent")).to.deep.equal([["kaution", "compound", "Mietkaution"]]);
    expect(await readings("hinterl", "rent")).to.deep.equal([["hinterl", "completion", "hinterlegt"]]);
    expect(await readings("Feuerlösher ", "light")).to.deep.equal([["Feuerlösher", "correction", "Feuerlöscher"]]);
    expect(await readings("retry_backoff ", "parts")).to.deep.equal([["retry_backoff", "name_parts", "retry,backoff"]]);
    expect(await readings("home office ", "home")).to.deep.include(["home office", "joined", "Homeoffice"]);
    expect(await readings("carpark ", "cars")).to.deep.equal([["carpark", "apart", "car,park"]]);
    expect(await readings("Regenschirm ", "rain")).to.deep.equal([
      ["Regenschirm", "compound_part", "Regen"],
      ["Regenschirm", "compound_part", "Schirm"],
    ]);
  });

  it("name the words that a document does not hold", async () => {
    await given({ id: "one", text: "a lighthouse" }, { id: "two", text: "a harbour" });
    const words = (await explained("lighthouse harbour ")).get("one")?.words ?? [];
    expect(words.map(({ word, score, matches }) => [word, score > 0, matches.length])).to.deep.equal([
      ["lighthouse", true, 1],
      ["harbour", false, 0],
    ]);
  });

  it("weigh a reading below the word itself", async () => {
    await given({ id: "word", text: "Kaution" }, { id: "compound", text: "Mietkaution" });
    const found = await explained("Kaution ");
    expect([...found.keys()]).to.deep.equal(["word", "compound"]);
    expect(matchOf(found.get("word") as Explanation)).to.include({ reading: "as_typed", weight: 1 });
    expect(matchOf(found.get("compound") as Explanation)).to.include({ reading: "compound", weight: 0.5 });
  });

  it("tell what is added besides words", async () => {
    await given(
      { id: "is", title: "Travel Expenses" },
      { id: "begins", title: "Travel expenses of guests" },
      { id: "order", text: "of travel expenses" },
      { id: "apart", text: `travel ${"so ".repeat(40)} expenses` },
    );
    const found = await explained("travel expenses ");
    const bonusesOf = (id: string): readonly string[] => (found.get(id)?.bonuses ?? []).map(({ bonus }) => bonus);
    expect(bonusesOf("is")).to.include.members(["title_begins", "title_is", "exact", "in_order", "near"]);
    expect(bonusesOf("begins")).to.include("title_begins").and.not.include("title_is");
    expect(bonusesOf("order")).to.deep.equal(["exact", "in_order", "near"]);
    expect(bonusesOf("apart")).to.deep.equal(["exact", "near"]);
  });

  it("tell that a document is in another language than the reader's", async () => {
    await given(
      { id: "german", text: "Das ist der Plan für das Budget und die Reise." },
      { id: "english", text: "This is the plan for the budget and the travel of all." },
    );
    const found = await explained("budget ", { language: "de" });
    expect([...found].map(([id, { languageFactor }]) => [id, languageFactor])).to.deep.equal([
      ["german", 1],
      ["english", 0.7],
    ]);
  });

  it("tell of long documents which passage scored them", async () => {
    const filler = (n: number): string => `Paragraph ${n} tells of ropes and sails. `.repeat(20);
    const text = `${filler(1)}\n\n${filler(2)}\n\nThe lighthouse keeper counts lighthouses.\n\n${filler(3)}\n\n${filler(4)}\n\n${filler(5)}\n\n${filler(6)}`;
    await given({ id: "long", title: "Ropes", text }, { id: "short", text: "a lighthouse and ropes" });
    const found = await explained("lighthouse ropes ");
    const { scored, passage = { start: 0, end: 0 }, words } = found.get("long") as Explanation;
    expect(scored).to.equal("passage");
    expect(text.slice(passage.start, passage.end)).to.include("lighthouse");
    expect(words.map(({ word, matches }) => [word, matches[0]?.fields.map(({ field }) => field)])).to.deep.equal([
      ["lighthouse", ["text"]],
      ["ropes", ["title", "text"]],
    ]);
    expect(found.get("short")?.scored).to.equal("document");
  });

  it("explain scores where another order is asked for", async () => {
    await given(
      { id: "old", text: "lighthouse lighthouse", lastModified: "2020-01-01T00:00:00.000Z" },
      { id: "new", text: "a lighthouse", lastModified: "2024-01-01T00:00:00.000Z" },
    );
    const found = await explained("lighthouse ", { sort: "last_modified" });
    expect([...found.keys()]).to.deep.equal(["new", "old"]);
    expect([...found.values()].flatMap(faultsOf)).to.deep.equal([]);
  });

  it("explain the documents of the page alone", async () => {
    await given(...Array.from({ length: 130 }, (_, n) => ({ id: `n${n}`, text: "lighthouse ".repeat(n + 1) })));
    const pages = [];
    for (let startPage = 0; startPage < 4; startPage++)
      pages.push(...(await explained("lighthouse ", { count: 40, startPage })).values());
    expect(pages).to.have.length(130);
    const totals = pages.map(({ score }) => score);
    expect(totals).to.deep.equal(totals.toSorted((a, b) => b - a));
  });

  it("add up for long documents, whatever scores them", async () => {
    const random = seededRandom(53);
    const words = ["harbour", "lighthouse", "retry_backoff", "Mietkaution", "engines", "meeting", "Prüfung", "Büro"];
    const oneOf = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? "";
    const textOf = (length: number): string =>
      Array.from({ length }, () => (random() < 0.02 ? oneOf(words) : oneOf(["the", "sea", "is", "calm.\n\n"]))).join(
        " ",
      );
    await given(
      ...Array.from({ length: 24 }, (_, n) => ({
        ...{ id: `n${n}`, title: `${oneOf(words)} ${oneOf(words)}`, text: textOf(n % 3 === 0 ? 100 : 700 + n * 100) },
      })),
    );
    const scored = new Set<string>();
    for (let n = 0; n < 40; n++) {
      const phrase = n % 4 === 0 ? ` "${oneOf(words)}"` : "";
      const query = `${oneOf([...words, "kaution", "retry"])} ${oneOf([...words, "harbor"])}${phrase} `;
      for (const explanation of (await explained(query, { language: n % 2 === 0 ? "de" : "en" })).values())
        scored.add(explanation.scored);
    }
    expect([...scored]).to.have.members(["document", "passage"]);
  });

  it("add up for whatever is asked", async () => {
    await createWorld(scenario, "with hidden");
    for (const kind of kindsOfQueries)
      for (const { query, ...options } of questionsOf(kind, 4)) {
        const asked = { ...options, as: searchingPerson };
        const page = await scenario.search(query, { ...asked, explain: true });
        expectSums(page, query);
        const { explain: _, ...unexplained } = asked;
        const hits = page.hits.map(({ explanation: __, ...hit }) => hit);
        expect({ ...page, hits }, query).to.deep.equal(await scenario.search(query, unexplained));
      }
  });
}
