import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readConfig, settings } from "../../src/config.js";
import { mostRounds } from "../../src/chat/completion/modelAnswer.js";
import { balancerConfiguration } from "../support/balancer.js";
import { composeFiles, readCompose, withDefaults, type ComposeService } from "../support/composeFiles.js";
import { repositoryFiles, repositoryRoot, textOf } from "../support/repositoryFiles.js";

type NamingPart = "depends_on" | "volumes" | "networks" | "secrets" | "configs";

/** What a service names of each part. */
const namedBy: Readonly<Record<NamingPart, (service: ComposeService) => readonly string[]>> = {
  depends_on: ({ depends_on: needs = {} }) => Object.keys(needs),
  volumes: ({ volumes = [] }) => volumes.map((mount) => mount.split(":")[0] ?? ""),
  networks: ({ networks = [] }) => networks,
  secrets: ({ secrets = [] }) => secrets,
  configs: ({ configs = [] }) => configs.map(({ source }) => source),
};

/** Typesense has releases of two numbers. */
const isPatchRelease = (image: string): boolean =>
  /:\d+\.\d+\.\d+(\.\d+)?(-[\w.-]+)?$/.test(image) || /^typesense\/typesense:\d+\.\d+$/.test(image);

for (const file of composeFiles) {
  describe(file, () => {
    const compose = readCompose(file);
    const { services } = compose;
    const named = (part: NamingPart): string[] => Object.values(services).flatMap((service) => namedBy[part](service));
    const ours = Object.values(services).filter(({ build }) => build !== undefined);
    const secretHere = (value: string): string =>
      value.replace(/^\/run\/secrets\/(.+)$/, (_, name: string) =>
        join(repositoryRoot, withDefaults(compose.secrets?.[name]?.file ?? "")),
      );

    it("gives the service settings that it knows and accepts, and secrets in files that are there", () => {
      const known = new Set(settings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])));
      expect(ours).to.not.have.length(0);
      for (const { environment = {} } of ours) {
        expect(Object.keys(environment).filter((name) => !known.has(name))).to.deep.equal([]);
        const defaults = Object.entries(environment).map(([name, value]) => [name, secretHere(withDefaults(value))]);
        expect(readConfig(Object.fromEntries(defaults))).to.have.property("ok", true);
      }
    });

    it("holds no secret in an environment or on a command line", () => {
      const told = Object.values(services).flatMap(({ environment = {}, command = [], entrypoint = [] }) => [
        ...Object.keys(environment).filter((name) => /(KEY|TOKEN|SECRET|PASSWORD)$/.test(name)),
        ...[...command, ...entrypoint].filter((word) => /--(api-key|requirepass)/.test(word)),
      ]);
      // SearXNG takes its own from there alone.
      expect(told.filter((name) => name !== "SEARXNG_SECRET")).to.deep.equal([]);
    });

    it("keeps what the service writes in volumes that have a name", () => {
      for (const { volumes = [] } of ours) expect(volumes.join()).to.match(/^[a-z-]+:\/data$/);
    });

    it("bounds what each service takes of memory, files and room for its log", () => {
      for (const [name, service] of Object.entries(services)) {
        expect(service, name)
          .to.have.property("mem_limit")
          .that.matches(/^\d+[mg]$/);
        expect(service, name).to.have.nested.property("ulimits.nofile").that.is.at.least(65_536);
        expect(service, name).to.have.nested.property("logging.options").that.has.keys("max-size", "max-file");
        expect(service, name).to.deep.include({ restart: "unless-stopped" });
      }
    });

    it("waits until whatever a service needs is healthy, and long enough for an engine that reads much", () => {
      for (const [name, { depends_on: needs = {} }] of Object.entries(services))
        for (const [need, { condition }] of Object.entries(needs)) {
          expect(condition, `${name} needs ${need}`).to.equal("service_healthy");
          expect(services[need]?.healthcheck?.start_period, need).to.equal("10m");
        }
    });

    it("lets nobody but the service reach its engines, and them nothing outside", () => {
      const engines = Object.keys(services).filter((name) => /^(eventstore(-\d)?|typesense|redis)$/.test(name));
      expect(engines).to.have.length.of.at.least(3);
      for (const name of engines) expect(services[name]?.networks, name).to.deep.equal(["engines"]);
      expect(compose.networks).to.have.nested.property("engines.internal", true);
      const there = Object.entries(services).filter(([, { networks = [] }]) => networks.includes("engines"));
      const others = there.filter(([name, { build }]) => build === undefined && !engines.includes(name));
      expect(others.map(([name]) => name)).to.deep.equal([]);
      expect(Object.entries(services).filter(([, { networks = [] }]) => networks.length === 0)).to.deep.equal([]);
    });

    it("publishes ports on this machine alone, and none of an engine", () => {
      const published = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0);
      expect(published.map(([, { ports }]) => ports)).to.deep.equal([["127.0.0.1:8080:8080"]]);
      expect(published.map(([name]) => name).join()).to.match(/^(service|balancer)$/);
    });

    it("tells the least version of Compose that takes it", () => {
      expect(textOf(file)).to.match(/Docker Compose 2\.23\.1 or newer/);
    });

    it("gives the service longer to end than it takes, and nothing that it does not need", () => {
      for (const { stop_grace_period: grace = "10s", ...service } of ours) {
        expect(Number.parseInt(grace, 10), "the service ends within 8 seconds").to.be.greaterThan(10);
        expect(service).to.deep.include({ read_only: true, cap_drop: ["ALL"] });
      }
    });

    it("pins every image to a patch release", () => {
      const images = Object.values(services).flatMap(({ image }) => (image === undefined ? [] : [image]));
      expect(images.filter((image) => !isPatchRelease(image))).to.deep.equal([]);
    });

    it("names nothing that is not there, and holds nothing that nobody names", () => {
      expect(named("depends_on").filter((name) => !(name in compose.services))).to.deep.equal([]);
      for (const part of ["volumes", "networks", "secrets", "configs"] as const)
        expect(new Set(named(part)), part).to.deep.equal(new Set(Object.keys(compose[part] ?? {})));
    });

    it("needs no service of a profile where that profile is not asked for", () => {
      for (const [name, { depends_on: needs = {}, profiles = [] }] of Object.entries(compose.services))
        for (const need of Object.keys(needs))
          expect(profiles, `${name} needs ${need}`).to.include.members([...(compose.services[need]?.profiles ?? [])]);
    });
  });
}

describe("the balancer of docker-compose.cluster.yml", () => {
  const { services } = readCompose("docker-compose.cluster.yml");

  it("waits until the API is ready, and asks again where it is", () => {
    expect(services["balancer"]?.depends_on).to.deep.equal({ api: { condition: "service_healthy" } });
    expect(JSON.stringify(services["api"])).to.include("/health/ready");
    const content = balancerConfiguration();
    expect(content).to.match(/resolver 127\.0\.0\.11 /);
    expect(content, "a name in proxy_pass itself is asked for at the start alone").to.match(
      /proxy_pass http:\/\/\$api/,
    );
  });

  it("waits longer than the service waits for models, and asks another replica no longer than people wait", () => {
    const seconds = (directive: string): number => {
      const [, number = "", unit = ""] =
        new RegExp(`\\b${directive} (\\d+)([sm]);`).exec(balancerConfiguration()) ?? [];
      return Number(number) * (unit === "m" ? 60 : 1);
    };
    const silence = Number(settings.find(({ name }) => name === "LLM_TIMEOUT_MS")?.default) / 1_000;
    expect(seconds("proxy_read_timeout")).to.be.greaterThan(mostRounds * silence);
    expect(seconds("proxy_next_upstream_timeout")).to.be.within(1, 60);
  });
});

describe("whoever parses or fetches what strangers made, in docker-compose.yml", () => {
  const { services, networks = {} } = readCompose("docker-compose.yml");

  it("shares no network with an engine, and Tika none that leads outside", () => {
    for (const name of ["tika", "searxng", "ollama"]) expect(services[name]?.networks, name).to.not.include("engines");
    expect(services["tika"]?.networks?.map((name) => networks[name])).to.deep.equal([{ internal: true }]);
    for (const name of ["searxng", "ollama"]) expect(services[name]?.networks, name).to.deep.equal(["outside"]);
  });
});

describe("what is said of profiles", () => {
  it("names those of docker-compose.yml", () => {
    const known = Object.values(readCompose("docker-compose.yml").services).flatMap(({ profiles = [] }) => profiles);
    const texts = repositoryFiles().filter((path) => /\.md$|^docker-compose/.test(path));
    const said = texts.flatMap((path) => [...textOf(path).matchAll(/--profile (\w+)/g)].map(([, name]) => name ?? ""));
    expect(new Set(said)).to.deep.equal(new Set(known));
  });
});

describe("the Dockerfile", () => {
  const last =
    textOf("Dockerfile")
      .split(/^FROM /m)
      .at(-1) ?? "";

  it("makes an image with the command on its path, which runs as nobody special and tells its health", () => {
    expect(last).to.match(/ln -s \/app\/bin\/enterprise-search\.js \/usr\/local\/bin\/enterprise-search$/m);
    expect(last)
      .to.match(/^USER node$/m)
      .and.match(/^HEALTHCHECK /m)
      .and.match(/^VOLUME \/data$/m);
    expect(statSync(join(repositoryRoot, "bin/enterprise-search.js")).mode & 0o111).to.equal(0o111);
  });
});
