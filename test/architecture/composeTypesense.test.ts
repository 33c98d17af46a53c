import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { composeFiles, readCompose, withDefaults } from "../support/composeFiles.js";
import { freePort } from "../support/freePort.js";
import { repositoryRoot, textOf } from "../support/repositoryFiles.js";

for (const file of composeFiles) {
  describe(`Typesense in ${file}`, () => {
    const { services, secrets = {} } = readCompose(file);
    const { entrypoint = [], healthcheck } = services["typesense"] ?? {};
    let server: Server;
    let answer = { status: 200, body: "" };
    let asked: (string | undefined)[] = [];

    before(async () => {
      server = createServer((request, response) => {
        asked.push(request.url);
        response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });

    const isHealthy = async (port = (server.address() as AddressInfo).port): Promise<boolean> => {
      const [kind, program = "", ...words] = healthcheck?.test ?? [];
      expect(kind).to.equal("CMD");
      asked = [];
      return promisify(execFile)(
        program,
        words.map((word) => word.replaceAll("8108", String(port))),
        { timeout: 3_000 },
      ).then(
        () => true,
        () => false,
      );
    };

    it("is healthy once it says so, and not while it reads what it holds, nor while nobody listens", async () => {
      const { response } = JSON.parse(textOf("test/fixtures/typesense/01-health.json")) as {
        readonly response: { readonly status: number; readonly body: object };
      };
      answer = { status: response.status, body: JSON.stringify(response.body) };
      expect(await isHealthy()).to.equal(true);
      expect(asked).to.deep.equal(["/health"]);
      answer = { status: 503, body: '{"ok":false}' };
      expect(await isHealthy()).to.equal(false);
      expect(asked).to.deep.equal(["/health"]);
      expect(await isHealthy(await freePort())).to.equal(false);
    });

    it("takes the key that the service takes, also where its file was written elsewhere", () => {
      const [program = "", ...words] = entrypoint;
      const key = join(repositoryRoot, withDefaults(secrets["typesense-api-key"]?.file ?? ""));
      const told = words.map((word) =>
        withDefaults(word)
          .replace("/run/secrets/typesense-api-key", `<(printf '%s\\r\\n' "$(cat '${key}')")`)
          .replace("/opt/typesense-server --data-dir=/data", "printenv TYPESENSE_API_KEY"),
      );
      expect(execFileSync(program, told, { encoding: "utf8" })).to.equal("development\n");
    });
  });
}
