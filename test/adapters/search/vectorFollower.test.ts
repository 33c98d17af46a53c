import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import {
  VectorFollower,
  type EmbeddedDocument,
  type UnembeddedDocument,
} from "../../../src/adapters/search/vectorFollower.js";
import { Synonyms } from "../../support/models/synonyms.js";

describe("what makes the vectors of documents", () => {
  it("lets writers have a turn after every step, also where it waits for no model", async () => {
    const documents = Array.from({ length: 1_000 }, (_unused, n) => ({ title: `${n}`, text: "automobile" }));
    const saved: EmbeddedDocument<UnembeddedDocument>[] = [];
    const embedder = new Synonyms();
    const [vector = new Float32Array()] = await embedder.embed(["automobile"]);
    embedder.shown.length = 0;
    const follower = new VectorFollower({
      store: {
        dimensions: async () => vector.length,
        next: async (most) => documents.slice(saved.length, saved.length + most),
        save: async (some) => void saved.push(...some),
      },
      embedder,
      earlier: {
        of: async (asked) => new Map(asked.map((each) => [each, [{ passage: { start: 0, end: 1 }, vector }]])),
      },
      onFailure: (error) => {
        throw error;
      },
    });
    follower.wake();
    const savedBetweenTurns: number[] = [];
    for (let before = 0; saved.length < documents.length; before = saved.length) {
      await nextTurn();
      savedBetweenTurns.push(saved.length - before);
    }
    expect(Math.max(...savedBetweenTurns)).to.be.below(50);
    expect(saved.map(({ document }) => document)).to.deep.equal(documents);
    expect(embedder.shown).to.deep.equal([]);
    follower.close();
  });
});
