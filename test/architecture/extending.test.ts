import { expect } from "chai";
import { textOf } from "../support/repositoryFiles.js";
import {
  asPlaces,
  filesBelow,
  filesImporting,
  filesNaming,
  filesWithEntry,
  othersHolding,
  pageFilesOf,
  readRecipes,
} from "./recipes.js";

/** What a recipe follows, and the files that are found to belong to it. */
interface Followed {
  readonly follows: string;
  /** The files that hold something of it, without those that merely use it. */
  readonly files: () => readonly string[];
}

const without = (files: readonly string[], users: RegExp): readonly string[] =>
  files.filter((path) => !users.test(path));

const recipes: Readonly<Record<string, Followed>> = {
  "An event": { follows: "ApiKeyRevoked", files: () => filesNaming("ApiKeyRevoked") },
  "An event that decides who may see what": {
    follows: "MembershipRemoved",
    files: () => filesNaming("MembershipRemoved"),
  },
  "A command with its route": {
    follows: "renameUser",
    // Undo gives commands; it is no part of one.
    files: () => without(filesNaming("renameUser", "RenameUser", "RenameUserMessage"), /^src\/operations\/undo\//),
  },
  "A projection": {
    follows: "catalogue",
    // Questions of audit ask its reader; they are no part of it.
    files: () => [
      ...filesBelow("projections/catalogue/"),
      ...without(filesWithEntry("catalogue"), /^src\/(audit\/(access|search)|operations\/verify)\//),
    ],
  },
  "A proof of a projection": {
    follows: "catalogue",
    files: () => filesWithEntry("catalogue").filter((path) => path.startsWith("src/operations/verify/")),
  },
  "A query with its route": {
    follows: "checkAccess",
    // Verification asks it, as any client does.
    files: () => without(filesNaming("checkAccess", "CheckAccess", "CheckAccessMessage"), /^src\/operations\/verify\//),
  },
  "A CLI command": { follows: "eventsCommand", files: () => filesNaming("eventsCommand") },
  "A screen of the dashboard": {
    follows: "readModels",
    // Links to it name its address; they are no part of it.
    files: () => [
      ...pageFilesOf("web/src/screens/readModels/", "screens/readModels/"),
      ...pageFilesOf("web/src/screens/readModels/", 'readModels: "'),
      ...filesNaming("/read-models"),
    ],
  },
  "An engine": {
    follows: "redisUrl",
    files: () => [
      ...["src/adapters/store/redis/", "src/adapters/redis/"].flatMap((folder) => [
        ...filesBelow(folder),
        ...filesImporting(folder),
      ]),
      ...filesNaming("REDIS_URL", "redisUrl"),
      ...othersHolding([".dependency-cruiser.cjs"], "store/redis"),
    ],
  },
  "A format of files": {
    follows: "epub",
    files: () => [...filesNaming("epub", "application/epub+zip"), ...othersHolding(["docs/extraction.md"], "EPUB")],
  },
  "A feature with its own routes, commands and page": {
    follows: "audit",
    files: () => [
      ...filesBelow("src/audit/"),
      ...filesNaming("auditFeature", "auditCommand", "openAuditSide"),
      ...othersHolding([".dependency-cruiser.cjs"], "src/audit/"),
    ],
  },
};

describe("docs/extending.md", () => {
  const written = readRecipes();

  it("has a recipe for each of them, and no other", () => {
    expect([...written.keys()]).to.deep.equal(Object.keys(recipes));
  });

  for (const [heading, { follows, files }] of Object.entries(recipes))
    it(`names the places of ${follows}, and no others`, () => {
      const { places = [], introduction = "" } = written.get(heading) ?? {};
      expect(introduction).to.contain(`\`${follows}\``);
      expect([...places].sort()).to.deep.equal(asPlaces(files(), places));
    });

  it("is linked where people look", () => {
    for (const file of ["README.md", "ARCHITECTURE.md"]) expect(textOf(file)).to.contain("(docs/extending.md)");
  });
});
