import { Refusal, type Stored, type StoredCollection } from "./storedCollection.js";

/** What a search for the nearest vectors asks. */
interface VectorQuery {
  readonly field: string;
  readonly values: readonly number[];
  readonly parameters: ReadonlyMap<string, number>;
}

/** A document by how far its vector is from the query's. */
export interface NearStored {
  readonly stored: Stored;
  readonly distance: number;
}

const malformed = (detail = ""): Refusal => new Refusal(400, `Malformed vector query string${detail}.`);
const known = new Set(["k", "ef", "flat_search_cutoff", "distance_threshold"]);
const furthest = 2;

const listed = (text: string): readonly string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Parses `field:([0.1, 0.2], k: 10, …)`. The engine passes over names that it does not know; the double does not. */
function parse(text: string): VectorQuery {
  const [, field = "", list = "", rest = ""] = /^([^:[(]+):\s*\(\s*\[([^\]]*)\](.*)\)$/s.exec(text) ?? [];
  if (field === "") throw malformed();
  const values = listed(list).map(Number);
  if (values.some((value) => !Number.isFinite(value))) throw malformed(": one of the vector values is not a float");
  return { field: field.trim(), values, parameters: new Map(listed(rest).map(parameterIn)) };
}

function parameterIn(pair: string): readonly [string, number] {
  const [name = "", value = ""] = pair.split(":").map((part) => part.trim());
  if (!known.has(name)) throw new Error(`The double knows no parameter ${name} of a vector query.`);
  if (name === "distance_threshold") return [name, thresholdIn(value)];
  if (!/^\d+$/.test(value)) throw malformed(`: \`${name}\` parameter must be an integer`);
  return [name, Number(value)];
}

function thresholdIn(value: string): number {
  const threshold = value === "" ? Number.NaN : Number(value);
  if (Number.isNaN(threshold)) throw malformed(": `distance_threshold` parameter must be a float");
  if (threshold < 0 || threshold > furthest)
    throw malformed(": `distance_threshold` parameter must be a float between 0.0-2.0");
  return threshold;
}

/**
 * The nearest documents as the engine has them, the nearest first, of equal ones the newer row. `filtered`: those that
 * pass the filter; null: there is none. Below `flat_search_cutoff` it compares all of these and `k` does not count.
 * From there on it walks its graph for the nearest `k`, which here are exactly those. Whatever is further than
 * `distance_threshold` is left out.
 */
export function nearestIn(
  collection: StoredCollection,
  text: string,
  filtered: readonly Stored[] | null,
  fetched: number,
): readonly NearStored[] {
  const { field, values, parameters } = parse(text);
  const dimensions = collection.field(field)?.num_dim;
  if (typeof dimensions !== "number") throw new Refusal(400, `Field \`${field}\` does not have a vector query index.`);
  if (dimensions !== values.length)
    throw new Refusal(400, `Query field \`${field}\` must have ${dimensions} dimensions.`);
  const compared = filtered ?? [...collection.stored.values()];
  const query = normalised(values);
  const ordered = compared
    .flatMap((stored) => {
      const vector = stored.document[field];
      return Array.isArray(vector) ? [{ stored, distance: distanceOf(query, normalised(vector as number[])) }] : [];
    })
    .sort((a, b) => a.distance - b.distance || b.stored.sequence - a.stored.sequence);
  const isFlat = filtered !== null && filtered.length < (parameters.get("flat_search_cutoff") ?? 0);
  const reached = isFlat ? ordered : ordered.slice(0, parameters.get("k") || fetched);
  const threshold = Math.fround(parameters.get("distance_threshold") ?? Infinity);
  return reached.filter(({ distance }) => distance <= threshold);
}

/** With the engine's precision. */
function normalised(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}

const distanceOf = (a: Float32Array, b: Float32Array): number =>
  Math.abs(Math.fround(1 - a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)));
