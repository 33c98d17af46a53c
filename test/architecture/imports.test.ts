import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { repositoryRoot } from "../support/repositoryFiles.js";

interface Rules extends IFlattenedRuleSet {
  readonly options: object;
}

const folders = ["src", "commands", "projections", "queries", "test", "bench", "demo", "bin", "build"];

describe("imports", () => {
  it("go only where ARCHITECTURE.md lets them, type-only ones too", async () => {
    const { options, ...ruleSet } = createRequire(import.meta.url)(
      join(repositoryRoot, ".dependency-cruiser.cjs"),
    ) as Rules;
    const present = folders.filter((folder) => existsSync(join(repositoryRoot, folder)));
    const { output } = await cruise(present, { ...options, baseDir: repositoryRoot, ruleSet, validate: true });
    const { summary } = output as ICruiseResult;
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).to.deep.equal([]);
    expect(summary.totalDependenciesCruised).to.be.greaterThan(50);
  });
});
