import { parseArgs } from "node:util";
import Table from "cli-table3";
import { measureAttacks } from "./attacks.js";
import { measureAudit } from "./audit.js";
import { measureChat } from "./chat.js";
import { measureClosure } from "./closure.js";
import { measureEventStore } from "./eventStore.js";
import { collectionTables, measureCollection } from "./collection.js";
import { measureColdReplica } from "./coldReplica.js";
import { measureDashboard } from "./dashboard.js";
import { measureExtraction } from "./extraction.js";
import { measureFilePushes } from "./filePushes.js";
import { measureHostileFiles } from "./hostileFiles.js";
import { measureHttp } from "./http.js";
import type { Measurement } from "./measure.js";
import { measureRebuilds } from "./rebuild.js";
import { measureRedis } from "./redis.js";
import { measureSearch } from "./search.js";
import { measureStartUp } from "./startUp.js";
import { measureStreaming } from "./streaming.js";
import { measureTypesense } from "./typesense.js";

type Benchmark = (rounds: number, report: (line: string) => void) => Promise<readonly Measurement[]>;

const benchmarks: Readonly<Record<string, Benchmark>> = {
  attacks: measureAttacks,
  audit: measureAudit,
  chat: measureChat,
  closure: measureClosure,
  eventstore: measureEventStore,
  cold: measureColdReplica,
  dashboard: measureDashboard,
  extraction: measureExtraction,
  files: async (rounds) => [await measureFilePushes(rounds)],
  hostile: (_rounds, report) => measureHostileFiles(report),
  http: measureHttp,
  rebuild: measureRebuilds,
  redis: measureRedis,
  search: () => measureSearch(),
  "start-up": measureStartUp,
  streaming: measureStreaming,
  typesense: measureTypesense,
};

const { values } = parseArgs({
  options: {
    /** A folder of files to read, with the texts of another reader beside them; with `--only extraction`. */
    files: { type: "string" },
    json: { type: "boolean" },
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "5" },
  },
});

const progress = (line: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`${line} …\n`);
};

if (values.files === undefined) await measureAll();
else {
  const result = await measureCollection(values.files, progress);
  console.log(values.json ? JSON.stringify(result, null, 2) : collectionTables(result));
}

async function measureAll(): Promise<void> {
  const measurements: Measurement[] = [];
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (values.only !== undefined && !values.only.includes(name)) continue;
    progress(name);
    measurements.push(...(await benchmark(Number(values.rounds), progress)));
  }
  tell(measurements);
}

function tell(measurements: readonly Measurement[]): void {
  if (values.json) {
    console.log(JSON.stringify({ node: process.version, measuredAt: new Date().toISOString(), measurements }, null, 2));
    return;
  }
  const table = new Table({
    head: ["measured", "ratio", "asked", "met", "ours", "peer"],
    style: { head: [] },
    colWidths: [64],
    wordWrap: true,
  });
  for (const { name, ratio, target, met, ours, peer } of measurements)
    table.push([name, ratio.toFixed(2), target, met ? "yes" : "no", ours, peer]);
  console.log(table.toString());
}
