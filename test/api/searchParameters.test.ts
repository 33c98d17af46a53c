import { expect } from "chai";
import { parseQueryString } from "../../src/http/validation/parameters.js";
import { checkSearchParameters, type SearchParameters } from "../../src/api/searchParameters.js";

const now = new Date("2024-05-11T00:00:00.000Z");
const day = 86_400_000;

function check(text: string): SearchParameters | string[] {
  const parameters = parseQueryString(text);
  const outcome = parameters.ok ? checkSearchParameters(parameters.value, now) : parameters;
  return outcome.ok ? outcome.value : outcome.error.map(({ loc, type }) => `${loc.slice(1).join(".")} ${type}`);
}

const defaults: SearchParameters = {
  query: "a",
  count: 10,
  startPage: 0,
  datasources: null,
  fileTypes: null,
  modifiedFrom: null,
  modifiedTo: null,
};

describe("the parameters of a search", () => {
  it("have defaults", () => {
    expect(check("query=a")).to.deep.equal(defaults);
    expect(check("query=a&data_source=&file_type=,&last_modified=")).to.deep.equal(defaults);
  });

  it("are decoded as forms are", () => {
    expect(check("query=gr%C3%BCne+W%C3%A4lder%2B%26&x=y&&z")).to.deep.equal({ ...defaults, query: "grüne Wälder+&" });
  });

  it("count a query's characters, not their units", () => {
    expect(check(`query=${encodeURIComponent("😀".repeat(16_384))}`)).to.deep.equal({
      ...defaults,
      query: "😀".repeat(16_384),
    });
    expect(check(`query=${encodeURIComponent("😀".repeat(16_385))}`)).to.deep.equal(["query string_too_long"]);
  });

  it("take comma lists, repeated or not", () => {
    expect(check("query=a&data_source=jira,%20wiki__hr&data_source=jira,other&file_type=pdf,word")).to.deep.equal({
      ...defaults,
      datasources: ["jira", "wiki__hr", "other"],
      fileTypes: ["pdf", "word"],
    });
  });

  it("take a comma list of what to count by, with the windows of the filter", () => {
    const asked = check("query=a&facets=author,file_type&facets=author");
    const { facets, ...others } = asked as SearchParameters;
    expect(others).to.deep.equal(defaults);
    expect(facets?.fields).to.deep.equal(["file_type", "author"]);
    expect(facets?.windows).to.have.length(6);
    const { modifiedFrom, modifiedTo } = check("query=a&last_modified=week") as SearchParameters;
    expect(facets?.windows[1]).to.deep.equal({ word: "week", from: modifiedFrom, to: modifiedTo });
    expect(check("query=a&facets=,")).to.deep.equal(defaults);
    expect(check("query=a&facets=author,size")).to.deep.equal(["facets enum"]);
  });

  it("take the order of the results, one of those that there are", () => {
    expect(check("query=a&sort=last_modified")).to.deep.equal({ ...defaults, sort: "last_modified" });
    expect(check("query=a&sort=")).to.deep.equal(defaults);
    expect(check("query=a&sort=date")).to.deep.equal(["sort enum"]);
  });

  it("take the reader's language, one of those that are analysed", () => {
    expect(check("query=a&language=en&language=de")).to.deep.equal({ ...defaults, language: "de" });
    expect(check("query=a&language=")).to.deep.equal(defaults);
    expect(check("query=a&language=fr")).to.deep.equal(["language enum"]);
  });

  it("take the last of a number that is repeated", () => {
    expect(check("query=a&count=1&count=100&start_page=7")).to.deep.equal({ ...defaults, count: 100, startPage: 7 });
  });

  it("take words for windows back from now", () => {
    const windows = { threeday: 3, week: 7, month: 30, threemonth: 90, year: 365, fiveyear: 1_825 };
    for (const [word, days] of Object.entries(windows)) {
      expect(check(`query=a&last_modified=${word}`)).to.deep.equal({
        ...defaults,
        modifiedFrom: now.getTime() - days * day,
        modifiedTo: now.getTime() + 86_400_000,
      });
    }
  });

  it("take a range of two times", () => {
    expect(check("query=a&last_modified=1970-01-01T00:00:00.001Z_1970-01-02T00:00:00.000Z")).to.deep.equal({
      ...defaults,
      modifiedFrom: 1,
      modifiedTo: day,
    });
    expect(check("query=a&last_modified=1970-01-01T00:00:00.000Z_1970-01-01T00:00:00.000Z")).to.deep.equal({
      ...defaults,
      modifiedFrom: 0,
      modifiedTo: 0,
    });
  });

  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ["", ["query missing"]],
    ["query=", ["query string_too_short"]],
    ["query=%20+", ["query value_error"]],
    [`query=${"a".repeat(16_385)}`, ["query string_too_long"]],
    ["query=a&count=0", ["count greater_than_equal"]],
    ["query=a&count=101", ["count less_than_equal"]],
    ["query=a&count=ten", ["count int_parsing"]],
    ["query=a&count=", ["count int_parsing"]],
    ["query=a&count=1.5", ["count int_parsing"]],
    ["query=a&count=99999999999999999999", ["count int_parsing"]],
    ["query=a&start_page=-1", ["start_page greater_than_equal"]],
    ["query=a&start_page=0x10", ["start_page int_parsing"]],
    ["query=a&file_type=pdf,zip", ["file_type enum"]],
    ["query=a&last_modified=day", ["last_modified value_error"]],
    ["query=a&last_modified=2024-01-01T00:00:00.000Z", ["last_modified value_error"]],
    ["query=a&last_modified=2024-01-01_2024-02-01", ["last_modified value_error"]],
    ["query=a&last_modified=2024-02-30T00:00:00.000Z_2024-03-01T00:00:00.000Z", ["last_modified value_error"]],
    ["query=a&last_modified=2024-03-01T00:00:00.000Z_2024-02-01T00:00:00.000Z", ["last_modified value_error"]],
    ["query=a&last_modified=2024-03-01T00:00:00.000Z_2024-03-02T00:00:00.000Z_", ["last_modified value_error"]],
    [
      `query=a&data_source=${Array.from({ length: 101 }, (_, index) => `d${index}`).join(",")}`,
      ["data_source too_long"],
    ],
    ["query=%ff", ["query value_error"]],
    ["query=%", ["query value_error"]],
    ["query=a%00b", ["query value_error"]],
    ["%zz=a", [" value_error"]],
    ["count=x&start_page=y", ["query missing", "count int_parsing", "start_page int_parsing"]],
  ];
  for (const [text, issues] of wrong) {
    it(`are refused: ${text.slice(0, 70) || "none"}`, () => {
      expect(check(text)).to.deep.equal(issues);
    });
  }
});
