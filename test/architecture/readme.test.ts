import { expect } from "chai";
import { settings } from "../../src/config.js";
import { textOf } from "../support/repositoryFiles.js";

const readme = textOf("README.md");

describe("README", () => {
  it("lists every npm script", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    const forPeople = Object.keys(scripts).filter((name) => !/^(pre|post)/.test(name));
    expect(forPeople.filter((name) => !listsScript(name))).to.deep.equal([]);
  });

  it("lists every setting with its default", () => {
    const missing = settings.filter(
      ({ name, default: standard }) =>
        !readme.includes(`| \`${name}\` | ${standard === "" ? "unset" : `\`${standard}\``} |`),
    );
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });

  it("names no setting that is none", () => {
    const named = [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
    expect(named).to.have.members(settings.map(({ name }) => name));
  });
});

function listsScript(name: string): boolean {
  const spoken = name === "start" || name === "test" ? `npm ${name}` : `npm run (--silent )?${name}`;
  return new RegExp(`\`${spoken}(?![a-z:])`).test(readme);
}
