import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Embedder } from "../../../projections/search/ports.js";
import type { QueryEmbedder, QueryMeaning } from "../../../queries/ports.js";
import type { ModelCalls } from "../../shared/modelCalls.js";

/** A person pages and filters, and people ask alike. */
const mostRemembered = 1_000;

/** Tells what queries mean; those that were asked for lately are remembered, by hashes of them. */
export class RememberedMeanings implements QueryEmbedder {
  private readonly remembered = new LRUCache<string, QueryMeaning>({ max: mostRemembered });

  constructor(
    private readonly embedder: Embedder,
    private readonly leastSimilarity: number,
    private readonly calls: ModelCalls,
  ) {}

  async meaningOf(query: string): Promise<QueryMeaning | null> {
    const text = query.trim();
    const key = hash("sha256", text, "base64");
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const [vector] = (await this.calls.make(() => this.embedder.embed([text]))) ?? [];
    if (vector === undefined) return null;
    const meaning = { model: this.embedder.model, vector, leastSimilarity: this.leastSimilarity };
    this.remembered.set(key, meaning);
    return meaning;
  }
}
