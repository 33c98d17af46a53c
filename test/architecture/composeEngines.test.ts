import { expect } from "chai";
import { readConfig } from "../../src/config.js";
import { readCompose } from "../support/composeFiles.js";
import { textOf } from "../support/repositoryFiles.js";

const base = readCompose("docker-compose.yml");
const published = readCompose("docker-compose.engines.yml");

describe("docker-compose.engines.yml", () => {
  it("publishes each engine that no profile hides, on the port that it listens on, to this machine alone", () => {
    const engines = Object.entries(base.services).filter(([, { networks = [] }]) => networks.join() === "engines");
    expect(Object.keys(published.services)).to.have.members(engines.map(([name]) => name));
    for (const [name, { ports = [] }] of Object.entries(published.services)) {
      expect(ports, name).to.have.length(1);
      expect(ports[0], name).to.match(/^127\.0\.0\.1:(\d+):\1$/);
    }
  });

  it("changes nothing else, and adds a network that publishes", () => {
    for (const [name, service] of Object.entries(published.services)) {
      expect(Object.keys(service), name).to.have.members(["ports", "networks"]);
      expect(service.networks, name).to.deep.equal(["published"]);
    }
    expect(published.networks).to.deep.equal({ published: null });
    expect(base.networks).to.not.have.property("published");
  });
});

describe("CONTRIBUTING.md", () => {
  const [, block = ""] = /```bash\n([\s\S]*?)```/.exec(textOf("CONTRIBUTING.md")) ?? [];
  const commands = block
    .replaceAll(/\\\n\s*/g, "")
    .trim()
    .split("\n");

  it("starts the engines that docker-compose.engines.yml publishes, and removes what it started", () => {
    const [start = "", , remove = ""] = commands;
    const compose = "docker compose --project-name engines --file docker-compose.yml --file docker-compose.engines.yml";
    expect(start.startsWith(`${compose} up --detach --wait `), start).to.equal(true);
    expect(start.split(" --wait ")[1]?.split(" ")).to.have.members(Object.keys(published.services));
    expect(remove).to.equal(`${compose} down --volumes`);
  });

  it("tells the tests where they are, with the key of development", () => {
    const [, test = ""] = commands;
    const [, said = ""] = /^(.*) npm run test:engines$/.exec(test) ?? [];
    const environment = Object.fromEntries(
      said.split(" ").map((word) => [word.split("=")[0] ?? "", word.replace(/^\w+=/, "").replaceAll("'", "")]),
    );
    const config = readConfig(environment);
    if (!config.ok) throw new Error(config.error.join("\n"));
    const { eventStoreUrl, typesenseUrl, redisUrl, typesenseApiKey } = config.value;
    const ports = Object.values(published.services).flatMap(({ ports: each = [] }) => each);
    expect([eventStoreUrl, typesenseUrl, redisUrl].map((url) => new URL(url ?? "").host)).to.have.members(
      ports.map((port) => port.split(":").slice(0, 2).join(":")),
    );
    expect(typesenseApiKey).to.equal(textOf("deploy/secrets/typesense-api-key").trim());
  });
});
