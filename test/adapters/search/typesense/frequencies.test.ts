import { expect } from "chai";
import * as fc from "fast-check";
import { analyseDocument } from "../../../../src/analysis/analyseDocument.js";
import { engineTerm, engineWord, tokenKey } from "../../../../src/adapters/search/typesense/encoding.js";
import { engineWordsOf, forEachFrequency, wordCode } from "../../../../src/adapters/search/typesense/frequencies.js";
import { toDatasourceId } from "../../../../src/shared/ids.js";
import { PrincipalTokens } from "../../../../src/shared/principalTokens.js";
import { propertyRuns } from "../../../support/propertyRuns.js";

const words = fc.array(fc.constantFrom("fog", "fo", "f", "og", "harbour", "harbours", "дом", "12", "1", "straße"), {
  maxLength: 40,
});

function countedIn(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function frequencyOf(word: string, tf: string): number {
  let found = 0;
  forEachFrequency(tf, (code, times) => {
    if (code === wordCode(word)) found = times;
  });
  return found;
}

describe("what Typesense holds of words", () => {
  it("tells how often each word stands in a document, a title counting double, and of no other word", () => {
    fc.assert(
      fc.property(words, words, (title, body) => {
        const analysed = analyseDocument({ title: title.join(" "), texts: [body.join(" ")] });
        const { tf, w, len } = engineWordsOf(analysed);
        const [inTitle, inBody] = [analysed.title, analysed.body].map((some) =>
          some.map((word) => word.writtenIn(analysed.language)),
        ) as [string[], string[]];
        const counts = countedIn([...inTitle, ...inTitle, ...inBody]);
        for (const [term, count] of counts)
          expect(frequencyOf(engineTerm(term), tf), term).to.equal(Math.min(count, 63));
        for (const other of ["xfogg", "xarbour", "xfo1", "x2"])
          if (!counts.has(other)) expect(frequencyOf(other, tf)).to.equal(0);
        expect(len).to.equal(inTitle.length + inBody.length);
        expect(w).to.match(/^[a-z0-9 ]*$/);
      }),
      propertyRuns(300),
    );
  });

  it("keeps huge documents to their most frequent words, and says so", () => {
    const rare = Array.from({ length: 4_200 }, (_, n) => `word${n}x`).join(" ");
    const analysed = analyseDocument({ title: "note", texts: [`fog fog fog ${rare}`] });
    const { tf, w, cut } = engineWordsOf(analysed);
    expect([cut, frequencyOf("xfog", tf), tf.length, w.split(" ").length]).to.deep.equal([true, 3, 24_000, 4_206]);
  });

  it("keeps tokens and beginnings of words apart where case and symbols do not count", () => {
    const tokens = new PrincipalTokens("any");
    const minted = Array.from({ length: 2_000 }, (_, n) => tokens.group(toDatasourceId("d"), `g${n}`));
    expect(new Set(minted.map((token) => tokenKey(token).toLowerCase())).size).to.equal(2_000);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 12 }), fc.nat(12), (word, length) => {
        expect(engineWord(word)).to.match(/^[a-z0-9]*$/);
        expect(engineWord(word).startsWith(engineWord(word.slice(0, length)))).to.equal(true);
      }),
      propertyRuns(300),
    );
  });
});
