import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, type Config } from "../src/config.js";
import type { Measurement } from "./measure.js";
import { startServiceProcess } from "./processes.js";
import { measureLiveSearch } from "./rebuild/live.js";
import { measureClosureRebuild, measureSearchRebuild } from "./rebuild/speed.js";
import { recordTenant, type TenantSize } from "./rebuild/tenantLog.js";

const size: TenantSize = { events: 1_000_000, documents: 100_000, people: 10_000 };

/**
 * Rebuilds against reading the log and a raw import, and what they cost people who search meanwhile. REBUILD_SCALE
 * makes it smaller.
 */
export async function measureRebuilds(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-rebuild-"));
  const scale = Number(process.env["REBUILD_SCALE"] ?? 1);
  try {
    const tenant = await recordTenant(
      join(folder, "log.sqlite"),
      { events: size.events * scale, documents: size.documents * scale, people: size.people * scale },
      report,
    );
    const config = configOf(folder);
    report("rebuilding the group closure");
    const closure = await measureClosureRebuild(config, tenant, rounds);
    report("rebuilding the search index");
    const search = await measureSearchRebuild(config, tenant, Math.min(rounds, 3));
    report("projecting everything once");
    await (await startServiceProcess({ DATA_DIR: folder })).stop();
    report("searching while it is rebuilt");
    return [closure, ...search, ...(await measureLiveSearch(config, tenant, rounds))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(dataDir: string): Config {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  if (!config.ok) throw new Error(config.error.join("\n"));
  return config.value;
}
