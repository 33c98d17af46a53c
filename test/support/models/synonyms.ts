import type { Embedder } from "../../../projections/search/ports.js";
import type { QueryMeaning } from "../../../queries/ports.js";
import { ModelServerFailure, type ModelCallTrouble } from "../../../src/shared/modelCalls.js";

/** Words of a line mean the same. */
const concepts = [
  ["car", "automobile", "wagen"],
  ["holiday", "vacation", "urlaub", "leave"],
  ["salary", "wages", "gehalt"],
  ["fire", "blaze"],
].map((words) => new Set(words));

/** What means nothing of all that points somewhere else. */
const elsewhere = concepts.length;

/** How often which concept is meant, and as much of nothing as lets no text point nowhere. */
export function meantBy(text: string): readonly number[] {
  const vector = Array.from({ length: elsewhere + 1 }, () => 0);
  for (const word of text.toLowerCase().split(/[^a-zäöüß]+/)) {
    const concept = concepts.findIndex((words) => words.has(word));
    if (concept >= 0) vector[concept] = (vector[concept] ?? 0) + 1;
  }
  vector[elsewhere] = vector.some((value) => value > 0) ? 0.1 : 1;
  return vector;
}

const normalised = (vector: readonly number[]): Float32Array => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};

/** A small language in which some words mean the same; it can be down, and refuse texts. */
export class Synonyms implements Embedder {
  /** Everything that it was shown. */
  readonly shown: string[] = [];
  /** How often it has failed. */
  failures = 0;
  isDown = false;
  refuses: (text: string) => boolean = () => false;
  /** How it fails over what it refuses. */
  trouble: ModelCallTrouble = "rejected";
  /** Comes before each answer. */
  meanwhile: () => Promise<void> = async () => undefined;
  /** By so many numbers that say nothing the vector of this text is longer than others. */
  lengthens: (text: string) => number = () => 0;

  /** @param padding so many numbers more that say nothing: another length of vectors */
  constructor(
    readonly model = "synonyms",
    private readonly padding = 0,
  ) {}

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    await this.meanwhile();
    if (this.isDown) throw this.failure("unreachable", "It cannot be reached.");
    if (texts.some((text) => this.refuses(text))) throw this.failure(this.trouble, "It takes no such text.");
    this.shown.push(...texts);
    return texts.map((text) => this.vectorOf(text));
  }

  /** What a query means. */
  meaning(query: string, leastSimilarity = 0.5): QueryMeaning {
    return { model: this.model, vector: this.vectorOf(query), leastSimilarity };
  }

  private failure(trouble: ModelCallTrouble, message: string): ModelServerFailure {
    this.failures += 1;
    return new ModelServerFailure(trouble, message);
  }

  private vectorOf(text: string): Float32Array {
    return normalised([...meantBy(text), ...Array.from({ length: this.padding + this.lengthens(text) }, () => 0)]);
  }
}
