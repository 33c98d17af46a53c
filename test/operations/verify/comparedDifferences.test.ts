import { expect } from "chai";
import * as fc from "fast-check";
import {
  differing,
  ofCanary,
  differencesOfDrift,
  totalOf,
} from "../../../src/operations/verify/comparedDifferences.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const parts = { depth: "full", position: "7", kinds: [] } as const;

describe("the differences that are told of a comparison", () => {
  it("are some of each kind, and few enough and short enough for an event", () => {
    const difference = fc.record({
      kind: fc.constantFrom("documents", "people", "counts"),
      subject: fc.string({ maxLength: 3_000 }),
      names: fc.array(fc.string({ maxLength: 500 }), { maxLength: 400 }),
    });
    fc.assert(
      fc.property(fc.array(difference, { maxLength: 60 }), (given) => {
        const all = given.map(({ kind, subject, names }) =>
          differing(
            kind,
            subject,
            names.map((aspect) => ({ aspect, missing: names, extra: names })),
          ),
        );
        const { examples = [] } = totalOf(parts, all);
        expect(examples.length).to.equal(Math.min(20, all.length));
        expect(new Set(examples.map(({ kind }) => kind)).size).to.equal(new Set(all.map(({ kind }) => kind)).size);
        expect(JSON.stringify(examples).length).to.be.lessThan(700_000);
      }),
      propertyRuns(30),
    );
  });

  it("hold no text, no field of a document, and nothing that anybody asked", () => {
    const subject = {
      kind: "document",
      datasource: "wiki" as never,
      documentId: "plan" as never,
      incarnations: [],
      expected: null,
    } as const;
    const drift = differencesOfDrift({
      subject,
      differences: [
        { aspect: "title", expected: '"the secret plan"', served: '"another"' },
        { aspect: "text", expected: `"${"a1".repeat(32)}"`, served: "null" },
        { aspect: "principals", missing: ["group staff of wiki"], extra: [] },
      ],
    });
    expect(drift).to.deep.equal({
      kind: "documents",
      subject: "wiki/plan",
      differs: [
        { aspect: "title" },
        { aspect: "text", live: "a1".repeat(8), next: null },
        { aspect: "principals", missing: ["group staff of wiki"], extra: [] },
      ],
    });
    expect(
      ofCanary("recent questions", {
        kind: "search",
        total: { expected: 3, served: 2 },
        missing: ["wiki__plan"],
        extra: [],
      }),
    ).to.deep.equal({
      kind: "recent questions",
      subject: "a search that somebody made",
      differs: [
        { aspect: "total", live: "3", next: "2" },
        { aspect: "results", missing: ["wiki__plan"], extra: [] },
      ],
    });
  });
});
