import { expect } from "chai";
import { parse } from "yaml";
import { readConfig, settings } from "../../src/config.js";
import { textOf } from "../support/repositoryFiles.js";

interface ComposeService {
  readonly build?: string;
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

for (const file of ["docker-compose.yml", "docker-compose.cluster.yml"]) {
  describe(file, () => {
    const { services, volumes } = parse(textOf(file), { merge: true }) as Compose;
    const ours = Object.values(services).filter(({ build }) => build !== undefined);

    it("gives the service settings that it knows and accepts", () => {
      const known = new Set(settings.map(({ name }) => name));
      expect(ours).to.not.have.length(0);
      for (const { environment = {} } of ours) {
        expect(Object.keys(environment).filter((name) => !known.has(name))).to.deep.equal([]);
        expect(readConfig(environment)).to.have.property("ok", true);
      }
    });

    it("pins the version of every engine", () => {
      const images = Object.values(services).flatMap(({ image }) => (image === undefined ? [] : [image]));
      expect(images.filter((image) => !/:\d/.test(image))).to.deep.equal([]);
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
