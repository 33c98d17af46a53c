import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Collection } from "../src/adapters/search/sqlite/collection.js";
import { searchSchema } from "../src/adapters/search/sqlite/schema.js";
import { quantise, toBytes } from "../src/adapters/search/sqlite/vectors/passageVectors.js";
import { Vectors } from "../src/adapters/search/sqlite/vectors/vectors.js";
import { openForWriting } from "../src/adapters/sqlite/database.js";
import { median, percentile } from "./measure.js";

const dimensions = 384;
const latent = 48;
const searches = 60;
const most = 50;
const counts = process.argv.slice(2).map(Number);

/** A sequence of numbers that is the same every time, as a normal distribution has them. */
function gaussian(): () => number {
  let state = 20_261_123;
  const uniform = (): number => ((state = (state * 1_664_525 + 1_013_904_223) >>> 0) + 1) / 4_294_967_297;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Vectors as models make them, more or less: 500 subjects of fewer dimensions, all leaning to one side, and noise. */
function syntheticVectors(): () => Float32Array {
  const normal = gaussian();
  const ways = Array.from({ length: dimensions }, () => Float32Array.from({ length: latent }, normal));
  const mean = Float32Array.from({ length: dimensions }, () => 2 * normal());
  const subjects = Array.from({ length: 500 }, () => Float32Array.from({ length: latent }, normal));
  let next = 0;
  return () => {
    const subject = subjects[next++ % subjects.length]?.map((value) => value + 0.7 * normal()) ?? new Float32Array();
    const vector = ways.map(
      (way, n) => way.reduce((sum, value, at) => sum + value * (subject[at] ?? 0), mean[n] ?? 0) + normal(),
    );
    const length = Math.hypot(...vector);
    return Float32Array.from(vector, (value) => value / length);
  };
}

function measure(documents: number): string {
  const folder = mkdtempSync(join(tmpdir(), "vectors-"));
  const file = join(folder, "search.sqlite");
  const database = openForWriting({ file, schema: searchSchema, durability: "rebuildable" });
  const vectorOf = syntheticVectors();
  const insert = database.prepare("INSERT INTO vectors VALUES (?, ?)");
  const exact: Float32Array[] = [];
  database.transaction(() => {
    for (let row = 1; row <= documents; row++) {
      const vector = vectorOf();
      if (documents <= 100_000) exact.push(vector);
      insert.run(row, toBytes([quantise({ start: 0, end: 1 }, vector)]));
    }
    database.prepare("UPDATE vector_state SET model = 'm', dimensions = ?, up_to_row = ?").run(dimensions, documents);
  })();
  database.pragma("wal_checkpoint(TRUNCATE)");
  const before = process.memoryUsage();
  const collection = { size: documents, numbering: 0, slotOf: (row: number) => row - 1 } as unknown as Collection;
  const vectors = new Vectors(database, collection);
  const begun = process.cpuUsage();
  while (vectors.readSome());
  const reading = process.cpuUsage(begun);
  const after = process.memoryUsage();
  const times: number[] = [];
  let found = 0;
  for (let each = 0; each < searches; each++) {
    const meaning = { model: "m", vector: vectorOf(), leastSimilarity: -1 };
    const start = process.cpuUsage();
    const near = vectors.nearest(meaning, () => true, most);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
    if (exact.length > 0 && each < 20) found += recallOf(near, meaning.vector, exact);
  }
  const held = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
  const size = statSync(file).size;
  database.close();
  rmSync(folder, { recursive: true });
  return [
    `| ${documents.toLocaleString("en")}`,
    `${median(times).toFixed(1)} ms`,
    `${percentile(times, 99).toFixed(1)} ms`,
    exact.length > 0 ? (found / 20).toFixed(3) : "not measured",
    `${Math.round((reading.user + reading.system) / 1_000)} ms`,
    `${Math.round(held / documents)} bytes`,
    `${Math.round(size / documents)} bytes |`,
  ].join(" | ");
}

/** Which part of the nearest are those that they would be by the vectors as they were made. */
function recallOf(near: readonly { slot: number }[], query: Float32Array, exact: readonly Float32Array[]): number {
  const similarity = exact.map((vector) => vector.reduce((sum, value, n) => sum + value * (query[n] ?? 0), 0));
  const order = similarity.map((_value, slot) => slot).sort((a, b) => (similarity[b] ?? 0) - (similarity[a] ?? 0));
  const nearest = new Set(order.slice(0, most));
  return near.filter(({ slot }) => nearest.has(slot)).length / most;
}

console.log(
  "| passages | CPU time of a search, median | p99 | recall of the nearest 50 | read | memory each | file each |",
);
console.log("|---|---|---|---|---|---|---|");
for (const count of counts.length === 0 ? [10_000, 50_000, 100_000, 1_000_000] : counts) console.log(measure(count));
