import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { expect } from "chai";
import type { ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import { repositoryRoot } from "../support/repositoryFiles.js";
import { describeWithTestPackages } from "../support/testPackages.js";

interface Rules extends IFlattenedRuleSet {
  readonly options: object;
}

const folders = ["src", "commands", "projections", "queries", "test", "bench", "demo", "bin", "build"];

describeWithTestPackages("imports", () => {
  it("go only where ARCHITECTURE.md lets them, type-only ones too", async () => {
    const { cruise } = await import("dependency-cruiser");
    const { options, ...ruleSet } = createRequire(import.meta.url)(
      join(repositoryRoot, ".dependency-cruiser.cjs"),
    ) as Rules;
    const present = folders.filter((folder) => existsSync(join(repositoryRoot, folder)));
    // It looks for package.json up to this folder, whose name may not end with a slash.
    const baseDir = resolve(repositoryRoot);
    const { output } = await cruise(present, { ...options, baseDir, ruleSet, validate: true });
    const { summary } = output as ICruiseResult;
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).to.deep.equal([]);
    expect(summary.totalDependenciesCruised).to.be.greaterThan(50);
  });
});
