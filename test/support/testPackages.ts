import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repositoryFiles.js";

/** Why packages of `test/package.json` cannot be imported; null: they can. */
export const whyNoTestPackages = areInstalled() ? null : "test/package.json is not installed";

/** As `build/testPackages.js` leaves it. */
function areInstalled(): boolean {
  const [wanted, installed] = ["package-lock.json", "node_modules/.installed-lock.json"].map((file) => {
    try {
      return readFileSync(join(repositoryRoot, "test", file), "utf8");
    } catch {
      return "";
    }
  });
  return wanted === installed;
}

/**
 * A suite that needs such a package: skipped, with the reason in its title, where they are missing. It imports them
 * while it runs, since a file whose imports are missing cannot even be read.
 */
export function describeWithTestPackages(title: string, suite: (this: Mocha.Suite) => void): void {
  if (whyNoTestPackages === null) describe(title, suite);
  else describe.skip(`${title}: ${whyNoTestPackages}`, suite);
}
