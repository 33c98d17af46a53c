import { expect } from "chai";
import type { EverydayExpectation, EverydayQuery } from "../../../bench/everyday/everydayCollection.js";
import { judge } from "../../../bench/everyday/measureEveryday.js";

describe("everyday scores", () => {
  const asking = (expected: EverydayExpectation, mustNotFind: readonly string[] = []): EverydayQuery => ({
    language: "de",
    kind: "title",
    text: "q",
    expected,
    mustNotFind,
  });

  it("take the first of documents that are equally right", () => {
    const query = asking({ is: "one", documents: ["a", "b"], rank: 2 });
    expect(judge(query, ["x", "b", "a"])).to.deep.equal({ reached: true, rank: 2, unwanted: [] });
    expect(judge(query, ["x", "y", "b"])).to.deep.equal({ reached: false, rank: 3, unwanted: [] });
    expect(judge(query, ["x"])).to.deep.equal({ reached: false, rank: null, unwanted: [] });
  });

  it("take the last of documents that must all be there", () => {
    const query = asking({ is: "all", documents: ["a", "b"], rank: 2 });
    expect(judge(query, ["b", "a"])).to.deep.equal({ reached: true, rank: 2, unwanted: [] });
    expect(judge(query, ["a", "x", "b"])).to.deep.equal({ reached: false, rank: 3, unwanted: [] });
    expect(judge(query, ["a"])).to.deep.equal({ reached: false, rank: null, unwanted: [] });
  });

  it("fail a query that finds what it must not, wherever", () => {
    const query = asking({ is: "one", documents: ["a"], rank: 1 }, ["z"]);
    expect(judge(query, ["a", "x", "z"])).to.deep.equal({ reached: false, rank: 1, unwanted: ["z"] });
  });

  it("fail a query that must find nothing by any result", () => {
    const query = asking({ is: "nothing" });
    expect(judge(query, [])).to.deep.equal({ reached: true, rank: null, unwanted: [] });
    expect(judge(query, ["x"])).to.deep.equal({ reached: false, rank: null, unwanted: ["x"] });
  });
});
