import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { walkFolder, type FolderEntry } from "../../../src/cli/import/importFolder.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

describe("walking a folder", () => {
  let folder: string;
  before(async () => {
    folder = temporaryFolder("walk").path;
    for (const path of ["b/deep", "a", "node_modules/x", ".git", ".notes"])
      await mkdir(join(folder, path), { recursive: true });
    for (const path of [
      "b/deep/2.md",
      "b/1.md",
      "a/3.md",
      "z.md",
      "node_modules/x/readme.md",
      ".git/config",
      ".notes/n.md",
      ".env",
    ])
      await writeFile(join(folder, path), path);
    await symlink(folder, join(folder, "b/loop"));
    await symlink("/etc/hostname", join(folder, "leak.md"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function walk(hidden: boolean): Promise<FolderEntry[]> {
    const entries: FolderEntry[] = [];
    for await (const entry of walkFolder(folder, { hidden })) entries.push(entry);
    return entries;
  }
  const files = (entries: readonly FolderEntry[]): string[] =>
    entries.filter(({ kind }) => kind === "file").map(({ path }) => path);

  it("finds files in the order of names, without node_modules, .git and hidden ones", async () => {
    expect(files(await walk(false))).to.deep.equal(["a/3.md", "b/1.md", "b/deep/2.md", "z.md"]);
  });

  it("finds hidden ones where they are asked for", async () => {
    expect(files(await walk(true))).to.deep.equal([".env", ".notes/n.md", "a/3.md", "b/1.md", "b/deep/2.md", "z.md"]);
  });

  it("names symbolic links and follows none: neither loops nor ways out of the folder", async () => {
    const reason = "Symbolic links are not followed.";
    expect((await walk(false)).filter(({ kind }) => kind !== "file")).to.deep.equal([
      { kind: "skipped", path: "b/loop", reason },
      { kind: "skipped", path: "leak.md", reason },
    ]);
  });
});
