import { once } from "node:events";
import { request, type ClientRequest } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { CommandLine, type StartedCommand } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

describe("serve", () => {
  let cli: CommandLine;
  beforeEach(async () => (cli = await CommandLine.onFreshFolder()));
  afterEach(() => cli.clear());

  it("prints its address, is ready there, and ends with 0 on SIGINT, which may come twice for one keystroke", async () => {
    const { command, url } = await cli.serveInProcess();
    const ready = await eventually(
      () => fetch(`${url}/health/ready`),
      ({ status }) => status === 200,
    );
    expect(ready.status).to.equal(200);
    command.signal("SIGINT");
    command.signal("SIGINT");
    expect((await command.ended).code).to.equal(0);
  });

  it("answers the request that is under way before it ends on SIGTERM, and logs nothing that is no log line", async () => {
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "sync");
    // While nobody has an account, the log holds the link with which the first one is made.
    await cli.runForJson("account", "create", "--email", "ada@example.com");
    const { command, url } = await cli.serveInProcess({ LOG_LEVEL: "info" });
    const body = JSON.stringify({ name: "wiki", display_name: "Wiki" });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    };
    const underWay = request(`${url}/api/indexing/datasources`, { method: "POST", headers });
    underWay.flushHeaders();
    await once(underWay, "continue");
    command.signal("SIGTERM");
    command.signal("SIGTERM");
    await command.noted(/Stopping/);
    underWay.end(body);
    const [response] = (await once(underWay, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).to.equal(200);
    const { code, stderr } = await command.ended;
    expect(code).to.equal(0);
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "Stopping: what is in flight is finished first. A second Ctrl-C ends it at once.",
      "request",
      "Stopped.",
    ]);
    const { events } = await cli.runForJson<{ events: { stream: string }[] }>("events", "--category", "datasource");
    expect(events.map(({ stream }) => stream)).to.deep.equal(["datasource-wiki"]);
  });

  it("ends after SIGTERM where a client never finishes its upload", async () => {
    const { command, upload } = await withUnfinishedUpload();
    command.signal("SIGTERM");
    const { code, stderr } = await command.ended;
    expect(code, stderr).to.equal(0);
    upload.destroy();
  });

  it("ends at once on a second Ctrl-C, and says so", async () => {
    const { command, upload } = await withUnfinishedUpload();
    command.signal("SIGINT");
    await command.noted(/Stopping/);
    await new Promise((resolve) => setTimeout(resolve, 600)); // Sooner it would be the same keystroke.
    command.signal("SIGINT");
    const { code, stderr } = await command.ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/It was interrupted again and ends at once\./);
    upload.destroy();
  });

  /** A server that has asked for a body, of which no byte will come. */
  async function withUnfinishedUpload(): Promise<{ command: StartedCommand; upload: ClientRequest }> {
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "sync");
    const { command, url } = await cli.serveInProcess({ LOG_LEVEL: "info" });
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": 1_000,
      expect: "100-continue",
    };
    const upload = request(`${url}/api/indexing/documents`, { method: "POST", headers });
    upload.on("error", () => undefined);
    upload.flushHeaders();
    await once(upload, "continue");
    return { command, upload };
  }

  it("says so where its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await cli.start(["serve"], { PORT: String(port) }).ended;
    other.close();
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(stderr).to.equal(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that one, or choose another port: PORT=${port + 1}\n`,
    );
  });

  it("names the settings that are wrong before it listens", async () => {
    const { code, stdout, stderr } = await cli.startProcess(["serve"], { PORT: "eighty" }).ended;
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: "" });
    expect(stderr).to.match(/^The settings are not valid:\n {2}.*PORT/);
  });

  it("says so where the key that it is to sign exports with is none", async () => {
    const { code, stderr } = await cli.start(["serve"], { AUDIT_SIGNING_KEY_FILE: "package.json" }).ended;
    expect(code).to.equal(1);
    expect(stderr).to.include(
      "AUDIT_SIGNING_KEY_FILE names no key that can be used. The key that signs exports, package.json, holds no private key in PEM.",
    );
  });

  it("says so where its data folder cannot be one", async () => {
    const { code, stderr } = await cli.start(["serve"], { DATA_DIR: join(process.execPath, "data") }).ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^The data folder .* cannot be written\. Set DATA_DIR/);
  });
});
