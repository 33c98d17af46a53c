import { readFileSync, writeFileSync } from "node:fs";

const field = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;

/** How many bytes more a process held while `work` was done than before, at most; NaN where Linux does not tell. */
export async function peakGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  const before = told(() => {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return field(pid, "VmRSS");
  });
  await work();
  return told(() => field(pid, "VmHWM")) - before;
}

function told(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}
