import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { UploadFolder } from "../../../src/adapters/files/uploadFolder.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

describe("the folder of uploads", () => {
  const { path, remove } = temporaryFolder("upload-folder");
  const uploads = new UploadFolder(path);
  after(remove);

  it("gives each upload a folder of its own, for this user alone, and removes it with all that is in it", async () => {
    const places = await Promise.all([uploads.make(), uploads.make()]);
    expect(new Set(places.map((place) => place.path)).size).to.equal(2);
    for (const place of places) {
      expect(statSync(place.path).mode & 0o777).to.equal(0o700);
      writeFileSync(join(place.path, "file"), "bytes");
      await place.remove();
      await place.remove();
      expect(existsSync(place.path)).to.equal(false);
    }
  });

  it("is cleared of what processes left that are gone, and of what is old, and of nothing else", async () => {
    const left = (name: string): string => {
      const folder = join(path, "uploads", name);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const own = hostname().replaceAll(/[^A-Za-z0-9.-]/g, "_");
    const gone = [left(`${own}_${process.pid}_1`), left(`${own}_999999999_2`), left("elsewhere_1_3")];
    const kept = [left("elsewhere_2_4"), left(`${own}_${process.ppid}_5`)];
    utimesSync(gone[2] ?? "", 0, 0);
    await uploads.clear();
    expect(gone.map((folder) => existsSync(folder))).to.deep.equal([false, false, false]);
    expect(kept.map((folder) => existsSync(folder))).to.deep.equal([true, true]);
  });

  it("need not be there to be cleared", () => new UploadFolder(join(path, "nothing")).clear());
});
