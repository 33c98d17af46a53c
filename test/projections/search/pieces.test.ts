import { expect } from "chai";
import * as fc from "fast-check";
import type { SearchChange } from "../../../projections/search/ports.js";
import { lastPerDocument, chunksOf } from "../../../projections/search/readModel.js";
import { beginning, toPosition } from "../../../src/shared/position.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const change = (position: number, id: string, bytes: number | null): SearchChange =>
  bytes === null
    ? ({ kind: "documentRemoved", position: toPosition(position), datasourceId: "d", documentId: id } as SearchChange)
    : ({
        kind: "documentIndexed",
        position: toPosition(position),
        indexedAt: "",
        document: { datasourceId: "d", documentId: id, content: { sha256: "", bytes } },
      } as SearchChange);
const changes = fc
  .array(
    fc.record({ id: fc.constantFrom("a", "b", "c"), bytes: fc.option(fc.nat(100), { nil: null }), gap: fc.nat(1) }),
    { maxLength: 20 },
  )
  .map((list) => {
    let position = 0;
    return list.map(({ id, bytes, gap }) => change((position += gap === 0 && position > 0 ? 0 : 1), id, bytes));
  });

describe("chunks of a batch", () => {
  it("hold every change once and in order, follow one another, and never part the changes of one event", () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 200 }), (list, maxBytes) => {
        const position = toPosition((list.at(-1)?.position ?? 0n) + 3n);
        const parked = list.map((one) => ({
          position: one.position,
          stream: "s",
          eventType: "t",
          scope: "c",
          error: "e",
        }));
        const chunks = chunksOf({ after: beginning, position, changes: list, parked }, maxBytes);
        expect(chunks.flatMap((chunk) => chunk.changes)).to.deep.equal(list);
        expect(chunks.flatMap((chunk) => chunk.parked)).to.deep.equal(parked);
        expect(chunks.map((chunk) => chunk.after)).to.deep.equal([
          beginning,
          ...chunks.slice(0, -1).map((chunk) => chunk.position),
        ]);
        expect(chunks.at(-1)?.position).to.equal(position);
        for (const chunk of chunks)
          for (const one of chunk.changes)
            expect(one.position > chunk.after && one.position <= chunk.position).to.equal(true);
      }),
      propertyRuns(300),
    );
  });

  it("stay below the limit but for the change that crosses it", () => {
    const list = [40, 40, 40, 500, 10].map((bytes, index) => change(index + 1, "a", bytes));
    const sizes = chunksOf({ after: beginning, position: toPosition(5), changes: list, parked: [] }, 100).map(
      (chunk) => chunk.changes.length,
    );
    expect(sizes).to.deep.equal([3, 1, 1]);
  });
});

describe("the last change of each document", () => {
  it("is what a map would keep, in the order of the log", () => {
    fc.assert(
      fc.property(changes, (list) => {
        const idOf = (one: SearchChange) =>
          one.kind === "documentIndexed"
            ? one.document.documentId
            : one.kind === "documentRemoved"
              ? one.documentId
              : "";
        const naive = new Set(["a", "b", "c"].map((id) => list.findLast((one) => idOf(one) === id)));
        expect(lastPerDocument(list)).to.deep.equal(list.filter((one) => naive.has(one)));
      }),
      propertyRuns(200),
    );
  });
});
