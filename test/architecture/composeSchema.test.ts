import { spawnSync } from "node:child_process";
import { Ajv } from "ajv";
import { expect } from "chai";
import { composeFiles, readCompose, type Compose } from "../support/composeFiles.js";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";

const schema = JSON.parse(textOf("test/fixtures/compose/compose-spec.json")) as object;
// The schema names its draft by an address that Ajv does not know as one, and uses words of its own.
const isCompose = new Ajv({ strict: false, allErrors: true }).compile({ ...schema, $schema: undefined });

/** What breaks the schema, a line each. */
function breaches(compose: Compose): readonly string[] {
  isCompose(compose);
  return (isCompose.errors ?? []).map(
    ({ instancePath, message = "", params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const hasCompose = spawnSync("docker", ["compose", "version"]).status === 0;

const published = "docker-compose.engines.yml";

for (const file of [...composeFiles, published]) {
  describe(file, () => {
    it("is what the Compose Specification allows", () => {
      expect(breaches(readCompose(file))).to.deep.equal([]);
    });

    const title = "is taken by Docker Compose";
    if (hasCompose)
      it(title, () => {
        const files = file === published ? ["docker-compose.yml", file] : [file];
        const named = files.flatMap((each) => ["--file", each]);
        const { status, stderr } = spawnSync("docker", ["compose", ...named, "config", "--quiet"], {
          cwd: repositoryRoot,
          encoding: "utf8",
        });
        expect(status, stderr).to.equal(0);
      });
    else it.skip(`${title}: no docker compose`, () => undefined);
  });
}

describe("the Compose Specification's schema", () => {
  it("refuses a service that stands elsewhere, and words that Compose does not know", () => {
    const service = { image: "a/b:1.0.0" };
    expect(breaches({ services: { a: service } })).to.deep.equal([]);
    for (const wrong of [
      { services: {}, configs: { a: { profiles: ["a"], ...service } } },
      { services: { a: { ...service, healthchecks: {} } } },
      { service: { a: service } },
    ])
      expect(breaches(wrong as unknown as Compose), JSON.stringify(wrong)).to.not.have.length(0);
  });
});
