import { expect } from "chai";
import { seededRandom } from "../../bench/corpus.js";
import { searchFileType } from "../../projections/search/prepareDocuments.js";
import {
  facetFields,
  type FacetCount,
  type FacetField,
  type FacetsAsked,
  type SearchFacets,
  type SearchFilters,
  withoutOwnFilter,
} from "../../src/readModels/search.js";
import {
  noFilters,
  SearchScenario,
  type DocumentOptions,
  type Person,
  type SearchIndexUnderTest,
} from "./searchIndexScenario.js";

const day = (n: number): number => Date.UTC(2024, 0, n);
const isoDay = (n: number): string => new Date(day(n)).toISOString();
const everything: FacetsAsked = {
  fields: facetFields,
  windows: [
    { word: "late", from: day(20), to: day(31) },
    { word: "all", from: day(1), to: day(31) },
  ],
};

const both: Person = { registeredOn: ["wiki", "tickets"], groups: ["pilots"] };

const counted = (...counts: readonly (readonly [string, number])[]): readonly FacetCount[] =>
  counts.map(([value, count]) => ({ value, count }));

/** What every engine counts beside the results. */
export function searchIndexFacetContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  beforeEach(async () => {
    scenario = new SearchScenario(await open());
    await scenario.given(
      scenario.datasource({ name: "wiki", subs: { team: [] } }),
      scenario.datasource({ name: "tickets" }),
    );
  });
  afterEach(() => scenario.close());

  const facetsOf = async (
    query: string,
    options: { readonly as?: Person; readonly filters?: Partial<SearchFilters>; readonly facets?: FacetsAsked } = {},
  ): Promise<SearchFacets | undefined> => {
    const { as = both, filters = {}, facets = everything } = options;
    const { facets: told } = await scenario.search(query, { as, filters: { ...noFilters, ...filters }, facets });
    return told;
  };
  const within = (datasource: string, sub: string | null = null) => ({
    datasources: [{ datasource, sub, childSub: null }],
  });
  const document = (id: string, options: Partial<DocumentOptions> = {}) =>
    scenario.document({ id, text: "harbour", lastModified: isoDay(15), ...options });

  it("counts by each field what matches and may be seen, and nothing else", async () => {
    await scenario.given(
      document("a", { author: "Grace", fileType: "issue", lastModified: isoDay(25) }),
      document("b", { sub: "team" }),
      document("c", { datasource: "tickets", lastModified: null, author: null }),
      document("hidden", { author: "Mallory", fileType: "email", access: { groups: ["board"] } }),
      document("elsewhere", { text: "mountain", author: "Edsger" }),
    );
    expect(await facetsOf("harbour")).to.deep.equal({
      relation: "eq",
      counts: {
        file_type: counted(["page", 2], ["issue", 1]),
        datasource: counted(["wiki", 2], ["tickets", 1]),
        author: counted(["Ada", 1], ["Grace", 1]),
        last_modified: counted(["late", 1], ["all", 2]),
      },
    });
  });

  it("counts what it is asked for, and nothing where it is not asked", async () => {
    await scenario.given(document("a"));
    const some = await facetsOf("harbour", { facets: { ...everything, fields: ["author"] } });
    expect(some).to.deep.equal({ relation: "eq", counts: { author: counted(["Ada", 1]) } });
    expect(await scenario.search("harbour", { as: both })).not.to.have.property("facets");
  });

  it("tells no name to whom nothing is open, or where nothing matches", async () => {
    await scenario.given(document("a", { access: { groups: ["pilots"] } }));
    const nothing = {
      relation: "eq",
      counts: { file_type: [], datasource: [], author: [], last_modified: counted(["late", 0], ["all", 0]) },
    };
    expect(await facetsOf("harbour", { as: { registeredOn: ["wiki"] } })).to.deep.equal(nothing);
    expect(await facetsOf("harbour", { as: { registeredOn: [] } })).to.deep.equal(nothing);
    expect(await facetsOf("submarine")).to.deep.equal(nothing);
    expect(await facetsOf("?!")).to.deep.equal(nothing);
  });

  it("ignores the filter on the field itself, also one that nothing passes, and follows the others", async () => {
    await scenario.given(
      document("a", { fileType: "issue", sub: "team" }),
      document("b", { lastModified: isoDay(25) }),
      document("c", { datasource: "tickets", author: "Grace" }),
    );
    const issues = await facetsOf("harbour", { filters: { fileTypes: ["issue"] } });
    expect(issues?.counts.file_type).to.deep.equal(counted(["page", 2], ["issue", 1]));
    expect(issues?.counts.datasource).to.deep.equal(counted(["wiki", 1]));
    expect(issues?.counts.author).to.deep.equal(counted(["Ada", 1]));
    const team = await facetsOf("harbour", { filters: within("wiki", "team") });
    expect(team?.counts.datasource).to.deep.equal(counted(["wiki", 2], ["tickets", 1]));
    expect(team?.counts.file_type).to.deep.equal(counted(["issue", 1]));
    const nowhere = await facetsOf("harbour", { filters: within("nowhere") });
    expect(nowhere?.counts.datasource).to.deep.equal(counted(["wiki", 2], ["tickets", 1]));
    expect(nowhere?.counts.author).to.deep.equal([]);
    const late = await facetsOf("harbour", { filters: { modifiedFrom: day(20) } });
    expect(late?.counts.last_modified).to.deep.equal(counted(["late", 1], ["all", 3]));
    expect(late?.counts.file_type).to.deep.equal(counted(["page", 1]));
  });

  it("tells the twenty authors of most documents, equals by name, and names that differ by case as two", async () => {
    await scenario.given(
      ...Array.from({ length: 24 }, (_, n) => document(`d${n}`, { author: `Author ${String(n).padStart(2, "0")}` })),
      ...["ada", "Ada", "Áda"].flatMap((author) => [1, 2].map((n) => document(`${author}${n}`, { author }))),
    );
    const authors = (await facetsOf("harbour"))?.counts.author ?? [];
    expect(authors.slice(0, 4)).to.deep.equal(counted(["Ada", 2], ["ada", 2], ["Áda", 2], ["Author 00", 1]));
    expect(authors).to.have.length(20);
  });

  it("follows what is replaced, deleted and withdrawn", async () => {
    await scenario.given(document("a"), document("b"), document("c", { datasource: "tickets", author: "Grace" }));
    expect((await facetsOf("harbour"))?.counts.author).to.deep.equal(counted(["Ada", 2], ["Grace", 1]));
    await scenario.given(
      document("a", { author: "Grace" }),
      document("d", { author: "Edsger" }),
      scenario.deleted("b"),
    );
    expect((await facetsOf("harbour"))?.counts.author).to.deep.equal(counted(["Grace", 2], ["Edsger", 1]));
    await scenario.given(scenario.datasourceDeleted("tickets"));
    const left = await facetsOf("harbour");
    expect(left?.counts.author).to.deep.equal(counted(["Edsger", 1], ["Grace", 1]));
    expect(left?.counts.datasource).to.deep.equal(counted(["wiki", 2]));
    await scenario.restart();
    expect(await facetsOf("harbour")).to.deep.equal(left);
  });

  it("counts as somebody does who looks at each document", async () => {
    const random = seededRandom(46);
    const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const documents = Array.from({ length: 120 }, (_, n) => ({
      id: `d${n}`,
      datasource: oneOf(["wiki", "tickets"]),
      text: oneOf(["harbour red boat", "harbour boat red", "harbour fog", "mountain fog"]),
      author: oneOf(["Ada", "Grace", "Edsger", null]),
      fileType: oneOf(["page", "issue", "markdown"]),
      lastModified: oneOf([isoDay(5), isoDay(20), isoDay(25), null]),
      access: oneOf([{ anonymous: true }, { groups: ["pilots"] }, { groups: ["board"] }]),
    }));
    await scenario.given(...documents.map((one) => scenario.document(one)));
    const queries: Readonly<Record<string, (text: string) => boolean>> = {
      "harbour ": (text) => text.includes("harbour"),
      '"red boat" harbour ': (text) => text.includes("red boat"),
      'harbour -"red boat" ': (text) => text.includes("harbour") && !text.includes("red boat"),
      "mountain boat ": (text) => /mountain|boat/.test(text),
    };
    for (let asked = 0; asked < 40; asked++) {
      const query = oneOf(Object.keys(queries));
      const filters: SearchFilters = {
        datasources: oneOf([null, within("wiki").datasources, []]),
        fileTypes: oneOf([null, ["page"], ["txt", "issue"]]),
        ...oneOf([
          { modifiedFrom: null, modifiedTo: null },
          { modifiedFrom: day(20), modifiedTo: day(22) },
        ]),
      };
      const visible = documents.filter(
        ({ text, access }) => queries[query]?.(text) && !("groups" in access && access.groups?.includes("board")),
      );
      const passing = (field: FacetField) => visible.filter((one) => passes(one, withoutOwnFilter(field, filters)));
      const expected = {
        relation: "eq",
        counts: {
          file_type: tallied(passing("file_type").map(typeOf)),
          datasource: tallied(passing("datasource").map(({ datasource }) => datasource)),
          author: tallied(passing("author").flatMap(({ author }) => author ?? [])),
          last_modified: everything.windows.map(({ word, from, to }) => ({
            value: word,
            count: passing("last_modified").filter((one) => isWithin(one, from, to)).length,
          })),
        },
      };
      expect(await facetsOf(query, { filters }), `${query} ${JSON.stringify(filters)}`).to.deep.equal(expected);
    }
  });
}

interface NaiveDocument {
  readonly datasource: string;
  readonly fileType: string;
  readonly lastModified: string | null;
}

const typeOf = ({ fileType }: NaiveDocument) => searchFileType(fileType, "text/plain");
const isWithin = ({ lastModified }: NaiveDocument, from: number | null, to: number | null): boolean =>
  lastModified !== null &&
  Date.parse(lastModified) >= (from ?? -Infinity) &&
  Date.parse(lastModified) <= (to ?? Infinity);

const passes = (document: NaiveDocument, filters: SearchFilters): boolean =>
  (filters.datasources?.some(({ datasource }) => datasource === document.datasource) ?? true) &&
  (filters.fileTypes?.includes(typeOf(document)) ?? true) &&
  ((filters.modifiedFrom === null && filters.modifiedTo === null) ||
    isWithin(document, filters.modifiedFrom, filters.modifiedTo));

function tallied(values: readonly string[]): readonly FacetCount[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
