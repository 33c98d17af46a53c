import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Reranker } from "../../../queries/ports.js";
import type { ModelCalls } from "../../shared/modelCalls.js";
import { malformed, type ModelServer } from "./modelServer.js";

/** Orders that are remembered: the further pages of a search follow that of the first. */
const mostRemembered = 200;

/** A server that orders texts, as those of Cohere and Jina do. */
export class RerankServer implements Reranker {
  private readonly remembered = new LRUCache<string, readonly number[]>({ max: mostRemembered });

  /** @param model null: the server has only one. */
  constructor(
    private readonly server: Pick<ModelServer, "post">,
    private readonly model: string | null,
    private readonly calls: ModelCalls,
  ) {}

  async order(query: string, texts: readonly string[]): Promise<readonly number[] | null> {
    const key = hash("sha256", JSON.stringify([query, texts]), "base64");
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const order = await this.calls.make(() => this.ask(query, texts));
    if (order !== null) this.remembered.set(key, order);
    return order;
  }

  private async ask(query: string, documents: readonly string[]): Promise<readonly number[]> {
    const answer = await this.server.post({
      ...(this.model !== null && { model: this.model }),
      ...{ query, documents, top_n: documents.length },
    });
    return orderIn(answer, documents.length);
  }
}

interface Placed {
  readonly index: number;
  readonly score: number;
}

/** Equal ones keep their order, and so do those that the server leaves out, behind the others. */
function orderIn(answer: unknown, length: number): readonly number[] {
  const { results } = (answer ?? {}) as { readonly results?: unknown };
  if (!Array.isArray(results)) throw malformed("It answered without `results`.");
  const placed = results.map((result: unknown) => placedIn(result, length));
  const told = new Set(placed.map(({ index }) => index));
  if (told.size !== placed.length) throw malformed("It told of one document twice.");
  const ordered = placed.sort((a, b) => b.score - a.score || a.index - b.index).map(({ index }) => index);
  const leftOut = Array.from({ length }, (_unused, index) => index).filter((index) => !told.has(index));
  return [...ordered, ...leftOut];
}

function placedIn(result: unknown, length: number): Placed {
  const { index, relevance_score: score } = (result ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= length)
    throw malformed("It told of a document that it was not sent.");
  if (typeof score !== "number") throw malformed("It told of a document without a number as its `relevance_score`.");
  return { index, score };
}
