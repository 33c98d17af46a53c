import { expect } from "chai";
import fc from "fast-check";
import { ConsistencyTokens } from "../../src/shared/consistencyTokens.js";
import { toPosition } from "../../src/shared/position.js";

const tokensOfLog = (first: string | null): ConsistencyTokens => new ConsistencyTokens(() => Promise.resolve(first));

describe("the consistency tokens of a log", () => {
  it("are known to every process on it, and to no other log", async () => {
    const [here, elsewhere, other] = [tokensOfLog("a"), tokensOfLog("a"), tokensOfLog("b")];
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), async (value) => {
        const token = (await here.of(toPosition(value))) ?? "";
        expect(await elsewhere.positionOf(token)).to.equal(value);
        expect(await other.positionOf(token)).to.equal(null);
      }),
      { numRuns: 30 },
    );
  });

  it("tell neither the position nor which of two is the newer", async () => {
    const tokens = tokensOfLog("a");
    const texts: string[] = [];
    for (let position = 1; position <= 200; position++) texts.push((await tokens.of(toPosition(position))) ?? "");
    expect(new Set(texts.map((text) => text.length))).to.deep.equal(new Set([25]));
    const risen = texts.filter((text, index) => index > 0 && text > (texts[index - 1] ?? "")).length;
    expect(risen).to.be.within(60, 140);
  });

  it("are refused where they are malformed or altered, and not given while the log is empty", async () => {
    const tokens = tokensOfLog("a");
    const token = (await tokens.of(toPosition(7))) ?? "";
    for (const text of ["", "p2-", "7", `${token}x`, token.replace("p2", "p1"), `p2-${"A".repeat(22)}`])
      expect(await tokens.positionOf(text), text).to.equal(null);
    for (let at = 3; at < token.length - 1; at++) {
      const altered = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
      expect(await tokens.positionOf(altered), altered).to.equal(null);
    }
    expect(await tokensOfLog(null).of(toPosition(0))).to.equal(null);
    expect(await tokensOfLog(null).positionOf(token)).to.equal(null);
  });
});
