import { expect } from "chai";
import { repositoryFiles, textOf } from "../support/repositoryFiles.js";

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

/** The lines of a document that are no code. */
const proseOf = (path: string): string[] =>
  textOf(path)
    .replace(/^```[\s\S]*?^```/gm, "")
    .split("\n");

describe("ARCHITECTURE.md", () => {
  it("tells what every folder of src is for", () => {
    expect(foldersIn("src")).to.include("daemon");
    expect(foldersIn("src").filter((folder) => !architecture.includes(`\n  ${folder}/ `))).to.deep.equal([]);
  });

  it("tells what every projection makes", () => {
    expect(foldersIn("projections")).to.include("search");
    expect(foldersIn("projections").filter((folder) => !architecture.includes(`\n- \`${folder}\`: `))).to.deep.equal(
      [],
    );
  });
});

describe("the documents", () => {
  const documents = files.filter((path) => path.endsWith(".md"));

  it("keep lines of prose to 120 columns", () => {
    const long = documents.flatMap((path) =>
      proseOf(path).flatMap((line) => (line.length > 120 && !line.startsWith("|") ? [`${path}: ${line}`] : [])),
    );
    expect(long).to.deep.equal([]);
  });

  it("name no file that is not there", () => {
    const missing = documents.flatMap((path) =>
      [...textOf(path).matchAll(/`((?:src|commands|projections|queries|test|bench|demo|docs|bin)\/[\w./-]*)`/g)]
        .map(([, named]) => named ?? "")
        .filter((named) => !files.some((file) => file === named || file.startsWith(named.replace(/\/?$/, "/"))))
        .map((named) => `${path}: ${named}`),
    );
    expect(missing).to.deep.equal([]);
  });
});

describe("the design pages", () => {
  it("are there where the code refers to them", () => {
    const cited = files
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => [...textOf(path).matchAll(/docs\/design\/[\w-]+\.md/g)].map(([page]) => ({ path, page })));
    expect(cited).not.to.deep.equal([]);
    expect(cited.filter(({ page }) => !files.includes(page))).to.deep.equal([]);
  });

  it("are listed in their index", () => {
    const index = textOf("docs/design/README.md");
    const pages = files.filter((path) => path.startsWith("docs/design/") && !path.endsWith("/README.md"));
    const names = [...pages, ...decisions].map((path) =>
      path.replace("docs/design/", "").replace("docs/adr/", "../adr/"),
    );
    expect(names.filter((name) => !index.includes(`](${name})`))).to.deep.equal([]);
  });
});

describe("the decision records", () => {
  const numbers = decisions.map((path) => Number(path.slice("docs/adr/".length).split("-")[0]));

  it("have a number each, the same in file name and title", () => {
    expect(new Set(numbers).size).to.equal(decisions.length);
    expect(decisions.map((path) => textOf(path).split(".")[0])).to.deep.equal(numbers.map((number) => `# ${number}`));
  });

  it("hold every record that the code refers to", () => {
    const sources = files.filter((path) => path.endsWith(".ts") && !path.startsWith("test/architecture/"));
    const cited = sources.flatMap((path) =>
      [...textOf(path).matchAll(/\bADR (\d+)/g)].map(([, number]) => ({ path, number: Number(number) })),
    );
    expect(cited).not.to.deep.equal([]);
    expect(cited.filter(({ number }) => !numbers.includes(number))).to.deep.equal([]);
  });
});
