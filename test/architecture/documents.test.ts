import { expect } from "chai";
import { repositoryFiles, textOf } from "./sourceFiles.js";

const architecture = textOf("ARCHITECTURE.md");
const files = repositoryFiles();
const decisions = files.filter((path) => path.startsWith("docs/adr/")).sort();

/** Names of the folders directly below `parent`. */
const foldersIn = (parent: string): string[] => [
  ...new Set(
    files
      .filter((path) => path.startsWith(`${parent}/`))
      .flatMap((path) =>
        path
          .slice(parent.length + 1)
          .split("/")
          .slice(0, -1)
          .slice(0, 1),
      ),
  ),
];

describe("ARCHITECTURE.md", () => {
  it("tells what every folder of src is for", () => {
    expect(foldersIn("src")).to.include("composition");
    expect(foldersIn("src").filter((folder) => !architecture.includes(`\n  ${folder}/ `))).to.deep.equal([]);
  });

  it("tells what every projection makes", () => {
    expect(foldersIn("projections")).to.include("search");
    expect(foldersIn("projections").filter((folder) => !architecture.includes(`\n- \`${folder}\`: `))).to.deep.equal(
      [],
    );
  });
});

describe("the decision records", () => {
  it("are numbered without a gap, in their file names and titles", () => {
    const found = decisions.map(
      (path) => `${path.slice("docs/adr/".length).split("-")[0]}: ${textOf(path).split(".")[0]}`,
    );
    expect(found).to.deep.equal(decisions.map((_, index) => `${String(index + 1).padStart(4, "0")}: # ${index + 1}`));
  });

  it("hold every record that the code refers to", () => {
    const sources = files.filter((path) => path.endsWith(".ts") && !path.startsWith("test/architecture/"));
    const cited = sources.flatMap((path) =>
      [...textOf(path).matchAll(/\bADR (\d+)/g)].map(([, number]) => ({ path, number: Number(number) })),
    );
    expect(cited).not.to.deep.equal([]);
    expect(cited.filter(({ number }) => number < 1 || number > decisions.length)).to.deep.equal([]);
  });
});
