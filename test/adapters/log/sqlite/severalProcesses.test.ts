import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { newFolder } from "./temporaryLog.js";

interface Report {
  readonly appended: readonly string[];
  readonly seen: readonly string[];
}

const appendAndWatch = fileURLToPath(new URL("./appendAndWatch.js", import.meta.url));
const [own, shared, processes] = [400, 100, 3];
const total = processes * (own + shared);

describe("the SQLite event log, shared by several processes", () => {
  let folder: string;
  beforeEach(async () => {
    folder = newFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("loses and repeats nothing, and shows each of them what the others append", async () => {
    const file = join(folder, "new", "log.sqlite");
    const reports = await Promise.all(Array.from({ length: processes }, (_, index) => run(file, `process-${index}`)));
    const everything = reports.flatMap(({ appended }) => appended).sort(inLogOrder);
    expect(new Set(everything).size).to.equal(total);
    for (const { appended, seen } of reports) {
      expect(appended).to.have.length(own + shared);
      expect(seen).to.deep.equal(everything);
    }
    const revisions = everything
      .map((line) => line.split(" "))
      .filter(([, stream]) => stream === "groupGraph-shared")
      .map(([, , revision]) => Number(revision));
    expect(revisions).to.deep.equal(Array.from({ length: processes * shared }, (_, revision) => revision));
  });
});

async function run(file: string, name: string): Promise<Report> {
  const child = await promisify(execFile)(
    process.execPath,
    [appendAndWatch, file, name, String(own), String(shared), String(total)],
    { maxBuffer: 2 ** 26 },
  );
  return JSON.parse(child.stdout) as Report;
}

const inLogOrder = (a: string, b: string): number => Number.parseInt(a, 10) - Number.parseInt(b, 10);
