import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCheckAccess } from "./closure/checkAccess.js";
import { measureOneEdge } from "./closure/oneEdge.js";
import { makeOrganisation } from "./closure/organisation.js";
import { measureRebuild } from "./closure/rebuild.js";
import type { Measurement } from "./measure.js";

const groups = 20_000;
const depth = 30;
const groupsPerPerson = 5;
const memberships = 1_000_000;

/**
 * The group closure against a search at the time of the question, a rebuild after every change, and the mere reading of
 * the log.
 */
export async function measureClosure(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-closure-"));
  try {
    report("checking access in process");
    const asked = makeOrganisation(1, { groups, depth, people: 12_000, groupsPerPerson });
    const checks = await measureCheckAccess(join(folder, "checkAccess"), asked, rounds);
    report("changing one group edge");
    const edge = await measureOneEdge(
      join(folder, "oneEdge"),
      makeOrganisation(2, { groups, depth, people: 0, groupsPerPerson }),
      rounds,
    );
    report(`rebuilding from ${memberships.toLocaleString("en")} memberships`);
    const tenant = makeOrganisation(3, { groups, depth, people: memberships / groupsPerPerson, groupsPerPerson });
    return [...checks, edge, await measureRebuild(join(folder, "rebuild"), tenant, rounds)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
