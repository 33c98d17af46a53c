import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { toEmail } from "../../src/shared/ids.js";
import { openChatSide } from "../../src/wiring/webAndChat.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { testConfig } from "../support/testConfig.js";

describe("the key of a server of LLM_UPSTREAMS_FILE", () => {
  const folder = temporaryFolder("upstreams");
  let server: Server;
  let sent: (string | undefined)[] = [];

  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const listed = async (environment: NodeJS.ProcessEnv): Promise<readonly (string | undefined)[]> => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const upstreams = file("upstreams.yaml", `[{ name: cloud, url: "${url}", api_key_env: CLOUD_KEY }]`);
    const parts = { agents: { list: () => Promise.resolve([]) } } as unknown as Parameters<typeof openChatSide>[1];
    const side = await openChatSide(testConfig({ LLM_UPSTREAMS_FILE: upstreams }), parts, environment);
    sent = [];
    await side.chat.models(toEmail("ada@example.org")).finally(() => side.close());
    return sent;
  };
  const refusal = (environment: NodeJS.ProcessEnv): Promise<string> =>
    listed(environment).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );

  before(async () => {
    server = createServer((request, response) => {
      sent.push(request.headers.authorization);
      response.end(JSON.stringify({ data: [] }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    folder.remove();
  });

  it("is what the variable holds that the file names, or what the file of that variable holds", async () => {
    expect(await listed({ CLOUD_KEY: "held" })).to.deep.equal(["Bearer held"]);
    expect(await listed({ CLOUD_KEY_FILE: file("key", "named\n") })).to.deep.equal(["Bearer named"]);
  });

  it("is asked for where there is none, and not repeated where it cannot be used", async () => {
    expect(await refusal({})).to.match(/ names CLOUD_KEY for cloud, which the environment does not set\.$/);
    expect(await refusal({ CLOUD_KEY_FILE: join(folder.path, "hidden") })).to.equal(
      "CLOUD_KEY_FILE names a file that is not there.",
    );
    expect(await refusal({ CLOUD_KEY: "hidden", CLOUD_KEY_FILE: file("other", "hidden") })).to.equal(
      "CLOUD_KEY and CLOUD_KEY_FILE are both set. Set one of them.",
    );
  });
});
