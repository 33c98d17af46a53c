import { expect } from "chai";
import { GrowingPostings } from "../../../../src/adapters/search/sqlite/growingPostings.js";
import { holdingAll } from "../../../../src/adapters/search/sqlite/visibleWords.js";

function postingsIn(...slots: readonly number[]): GrowingPostings {
  const postings = new GrowingPostings();
  for (const slot of slots) postings.push(slot, 1);
  return postings;
}

const slotsOf = ({ slots, size }: ReturnType<typeof holdingAll>): readonly number[] => [...slots.subarray(0, size)];

describe("the documents that hold all parts of a name", () => {
  it("are those that hold each in any of its ways", () => {
    const parts = [[postingsIn(1, 4, 9), postingsIn(2, 4)], [postingsIn(2, 3, 4, 5, 9, 12)]];
    expect(slotsOf(holdingAll(parts, () => true))).to.deep.equal([2, 4, 9]);
  });

  it("hold it as often as the part that they hold least", () => {
    const often = new GrowingPostings();
    often.push(4, 3);
    const parts = [[postingsIn(4), often], [often]];
    expect([...holdingAll(parts, () => true).frequencies]).to.deep.equal([3]);
    expect([...holdingAll([...parts, [postingsIn(4)]], () => true).frequencies]).to.deep.equal([1]);
  });

  it("are looked for among the newest that are open, whatever others there are", () => {
    const parts = [[postingsIn(1, 2, 3, 7, 8, 9)], [postingsIn(1, 2, 3, 4, 5, 6, 7, 8, 9)]];
    const isOpen = (slot: number): boolean => slot < 4;
    expect(slotsOf(holdingAll(parts, isOpen, 2))).to.deep.equal([2, 3]);
  });
});
