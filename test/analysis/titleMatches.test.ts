import { expect } from "chai";
import { titleWordsOf } from "../../src/analysis/suggesting.js";
import { titleMatchOf, titleSoughtBy } from "../../src/analysis/titleMatches.js";

describe("how a query meets a title", () => {
  const match = (query: string, title: string): string | null => {
    const sought = titleSoughtBy(query);
    return sought === null ? null : titleMatchOf(sought, titleWordsOf(title));
  };

  it("is told by whole words in their order, folded and without punctuation", () => {
    expect(match("reisekosten, ABRECHNEN?", "Reisekosten abrechnen")).to.equal("is");
    expect(match("Uebersicht", "Übersicht (2024)")).to.equal("begins");
    expect(match("Übers", "Übersicht")).to.equal(null);
    expect(match("abrechnen Reisekosten", "Reisekosten abrechnen")).to.equal(null);
    expect(match("Reisekosten abrechnen 2024", "Reisekosten abrechnen")).to.equal(null);
  });

  it("goes on where the last of several words is being typed", () => {
    expect(match("reisekosten abr", "Reisekosten abrechnen")).to.equal("begins");
    expect(match("expense report", "Expense reports")).to.equal("begins");
    expect(match("Plan", "Planung")).to.equal(null);
    for (const query of ["reisekosten abr?", "reisekosten a", "reise abr"])
      expect(match(query, "Reisekosten abrechnen"), query).to.equal(null);
  });

  it("is told by marks that make other words, where the query has them", () => {
    expect(match("C#", "C# guide")).to.equal("begins");
    expect(match(".net core", ".NET Core")).to.equal("is");
    for (const title of ["C guide", "C++ guide"]) expect(match("C#", title), title).to.equal(null);
    expect(match(".NET", "Net salaries")).to.equal(null);
    expect(match("C#", "C#: an introduction")).to.equal("begins");
    expect(match("C++ vs C#", "C# vs C++")).to.equal(null);
    expect(match("IT", "It")).to.equal(null);
    expect(match("THE PLAN", "The plan")).to.equal("is");
    expect(match("gitignore files", ".gitignore files")).to.equal("is");
  });

  it("is not asked of a query without words, or with more than titles have", () => {
    expect(match("?!", "?!")).to.equal(null);
    const long = "word ".repeat(17);
    expect(match(long, long)).to.equal(null);
  });
});
