import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { readConfig, settings } from "../../src/config.js";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";

interface ComposeService {
  readonly build?: string;
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** As Compose fills in what the environment does not say: `${NAME:-default}`. */
const withDefaults = (value: string): string => value.replace(/\$\{\w+:-([^}]*)\}/g, "$1");

for (const file of ["docker-compose.yml", "docker-compose.cluster.yml"]) {
  describe(file, () => {
    const { services, volumes } = parse(textOf(file), { merge: true }) as Compose;
    const ours = Object.values(services).filter(({ build }) => build !== undefined);

    it("gives the service settings that it knows and accepts", () => {
      const known = new Set(settings.map(({ name }) => name));
      expect(ours).to.not.have.length(0);
      for (const { environment = {} } of ours) {
        expect(Object.keys(environment).filter((name) => !known.has(name))).to.deep.equal([]);
        const defaults = Object.entries(environment).map(([name, value]) => [name, withDefaults(value)]);
        expect(readConfig(Object.fromEntries(defaults))).to.have.property("ok", true);
      }
    });

    it("gives the service longer to end than it takes, and nothing that it does not need", () => {
      for (const { stop_grace_period: grace = "10s", ...service } of ours) {
        expect(Number.parseInt(grace, 10), "the service ends within 8 seconds").to.be.greaterThan(10);
        expect(service).to.deep.include({ read_only: true, cap_drop: ["ALL"] });
      }
    });

    it("pins the version of every engine", () => {
      const images = Object.values(services).flatMap(({ image }) => (image === undefined ? [] : [image]));
      expect(images.filter((image) => !/:\d+\.\d/.test(image))).to.deep.equal([]);
    });

    it("depends on services, and mounts volumes, that are there", () => {
      const needed = Object.values(services).flatMap(({ depends_on: needs = [] }) =>
        Array.isArray(needs) ? needs : Object.keys(needs),
      );
      expect(needed.filter((name) => !(name in services))).to.deep.equal([]);
      const mounted = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
        mounts.map((mount) => mount.split(":")[0] ?? ""),
      );
      expect(mounted.filter((name) => !(name in volumes))).to.deep.equal([]);
    });
  });
}

describe("the balancer of docker-compose.cluster.yml", () => {
  const { services, configs } = parse(textOf("docker-compose.cluster.yml"), { merge: true }) as Compose & {
    readonly configs: Readonly<Record<string, { readonly content: string }>>;
  };

  it("waits until the API is ready, and asks again where it is", () => {
    expect(services["balancer"]?.depends_on).to.deep.equal({ api: { condition: "service_healthy" } });
    expect(JSON.stringify(services["api"])).to.include("/health/ready");
    const { content = "" } = configs["balancer"] ?? {};
    expect(content).to.match(/resolver 127\.0\.0\.11 /);
    expect(content, "a name in proxy_pass itself is asked for at the start alone").to.match(
      /proxy_pass http:\/\/\$\$api/,
    );
  });

  it("passes on the longest query and what comes bit by bit, and tells strangers no metrics", () => {
    const { content = "" } = configs["balancer"] ?? {};
    expect(content).to.include("large_client_header_buffers 4 64k;").and.include("proxy_buffering off;");
    expect(content).to.include("location = /metrics { return 404; }");
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
