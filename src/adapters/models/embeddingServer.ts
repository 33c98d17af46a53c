import type { Embedder } from "../../../projections/search/ports.js";
import { malformed, type ModelServer } from "./modelServer.js";

interface EmbeddingModel {
  /** null: the server has only one. */
  readonly name: string | null;
  /** How many numbers a vector is asked to have; null: as many as the model makes. */
  readonly dimensions: number | null;
  /** What the model wants before each text that is sent, and a blank after it; null: nothing. */
  readonly prefix: string | null;
  /** What it wants before passages: of another one vectors are others. null: nothing. */
  readonly passagePrefix: string | null;
}

const mostDimensions = 8_192;

/** A server that makes vectors of texts, as OpenAI's does. */
export class EmbeddingServer implements Embedder {
  readonly model: string;

  constructor(
    private readonly server: Pick<ModelServer, "post">,
    private readonly asked: EmbeddingModel,
  ) {
    const { name, dimensions, passagePrefix } = asked;
    this.model = JSON.stringify([name, dimensions, ...(passagePrefix === null ? [] : [passagePrefix])]);
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const { name, dimensions, prefix } = this.asked;
    const answer = await this.server.post({
      ...(name !== null && { model: name }),
      ...(dimensions !== null && { dimensions }),
      input: prefix === null ? texts : texts.map((text) => `${prefix} ${text}`),
    });
    return vectorsIn(answer, texts.length);
  }
}

function vectorsIn(answer: unknown, length: number): readonly Float32Array[] {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length !== length) throw malformed("It answered without a vector for each text.");
  const vectors: Float32Array[] = [];
  const isTaken = (index: number): boolean => vectors[index] !== undefined;
  data.forEach((entry: unknown, at) => {
    const { index = at, embedding } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= length || isTaken(Number(index)))
      throw malformed("It answered with a vector of no text.");
    vectors[Number(index)] = normalised(embedding);
  });
  if (vectors.some((vector) => vector.length !== vectors[0]?.length))
    throw malformed("It answered with vectors of different lengths.");
  return vectors;
}

/** The vector at length 1, so that the product of two vectors is their cosine. */
function normalised(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > mostDimensions)
    throw malformed("It answered with what is no vector.");
  let squares = 0;
  for (const value of embedding as unknown[]) {
    if (typeof value !== "number") throw malformed("It answered with a vector that does not hold numbers alone.");
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) throw malformed("It answered with a vector that points nowhere.");
  return Float32Array.from(embedding as number[], (value) => value / length);
}
