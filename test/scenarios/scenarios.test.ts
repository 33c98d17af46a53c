import { readdirSync } from "node:fs";
import { parse } from "yaml";
import { textOf, repositoryRoot } from "../support/repositoryFiles.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import type { Scenario } from "./scenario.js";
import { ScenarioRun } from "./scenarioRun.js";

const files = readdirSync(`${repositoryRoot}test/scenarios`).filter((name) => name.endsWith(".yaml"));

describe("permission scenarios", () => {
  let service: ServiceUnderTest;
  before(async () => {
    service = await startServiceUnderTest();
  });
  after(() => service?.stop());

  for (const [index, file] of files.toSorted().entries()) {
    const scenario = parse(textOf(`test/scenarios/${file}`)) as Scenario;
    it(`${scenario.title} [${scenario.rule}] (${file})`, () => new ScenarioRun(service, scenario, `s${index}`).tell());
  }
});
