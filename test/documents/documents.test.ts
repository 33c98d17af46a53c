import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";
import { openCommandsForShell, type CommandsForShell } from "../support/commandsForShell.js";
import { describeCommandsOf, untilReady } from "../support/describeCommands.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

describe("documents", () => {
  let demo: ReturnType<typeof temporaryFolder>;
  let commands: CommandsForShell;

  before(async () => {
    demo = temporaryFolder("demo");
    commands = await openCommandsForShell();
    const words = ["run", "demo", "--ignore-scripts", "--", "--once", "--port", "0", "--data", join(demo.path, "data")];
    await promisify(execFile)("npm", words, { cwd: repositoryRoot });
  }).timeout(900_000);

  after(async () => {
    await commands.close();
    demo.remove();
  });

  const definitions = (): string => `DEMO=${demo.path}\n${commands.definition}`;
  const demoData = {
    "npm run demo -- --once --data demo-data": "cp -r $DEMO/data demo-data # what the demo left when it was run before",
  };

  describeCommandsOf("docs/first-session.md", {
    otherwise: {
      "npm start": `npm start --ignore-scripts > server.log & ${untilReady}, and it is built already`,
    },
    printed: ["wiki__leave.md", '"has_access":false'],
  });

  describeCommandsOf("docs/chat.md", {
    otherwise: {
      "npm start": `npm start --ignore-scripts > server.log & ${untilReady}, and it is built already`,
    },
    printed: ["thirty days of leave", '"id":"wiki__leave.md"', "data: [DONE]", '"object":"list"'],
  });

  describeCommandsOf("docs/auditing.md", {
    otherwise: {
      ...demoData,
      "npm start": `node bin/enterprise-search.js serve > server.log & ${untilReady}, and it is built already`,
    },
    before: definitions,
    printed: [],
  });

  describeCommandsOf("docs/integrations.md", {
    otherwise: {
      "npm start": `node bin/enterprise-search.js serve > server.log & ${untilReady}, and it is built already`,
    },
    before: definitions,
    printed: ['"name":"list_sources"'],
  });

  describeCommandsOf("docs/operations.md", { otherwise: demoData, before: definitions, printed: [] });

  it("name commands that build first what they start", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const name of ["prestart", "predemo"]) expect(scripts[name], name).to.equal("npm run --silent build");
    expect(scripts["pretest"]).to.equal("npm run --silent build:tests");
  });
});
