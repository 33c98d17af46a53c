import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { settings } from "../../src/config.js";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";

describe("README", () => {
  const readme = textOf("README.md");

  it("is a door: at most 130 lines", () => {
    expect(readme.trimEnd().split("\n").length).to.be.at.most(130);
  });

  it("shows the two commands, each after its installation, and no other", () => {
    const commands = [...readme.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command);
    expect(commands).to.deep.equal(["npm ci", "npm run demo", "npm ci", "npm test"]);
  });
});

describe("CONTRIBUTING", () => {
  const contributing = textOf("CONTRIBUTING.md");

  it("lists every npm script", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    const forPeople = Object.keys(scripts).filter((name) => !/^(pre|post)/.test(name));
    expect(forPeople.filter((name) => !listsScript(name))).to.deep.equal([]);
  });

  function listsScript(name: string): boolean {
    const spoken = name === "start" || name === "test" ? `npm ${name}` : `npm run (--silent )?${name}`;
    return new RegExp(`\`${spoken}(?![a-z:])`).test(contributing);
  }
});

describe("the documents that the code tells", () => {
  it("are what `npm run docs` writes", async () => {
    const { settingsPage, commandsPage } = (await import(
      pathToFileURL(join(repositoryRoot, "build/describeProgram.js")).href
    )) as {
      settingsPage: () => string;
      commandsPage: () => string;
    };
    expect(textOf("docs/settings.md")).to.equal(settingsPage());
    expect(textOf("docs/cli.md")).to.equal(commandsPage());
  });

  it("list every setting with its default", () => {
    const page = textOf("docs/settings.md");
    const missing = settings.filter(
      ({ name, default: standard }) =>
        !page.includes(`| \`${name}\` | ${standard === "" ? "unset" : `\`${standard}\``} |`),
    );
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });
});
