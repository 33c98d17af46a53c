import { expect } from "chai";
import { tokensOf } from "../support/tokenPositions.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";

interface PrintedEvent {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly by: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe("events", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let account: string;
  let first: string;
  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    const { operator } = service;
    const { body, headers } = await operator.post<{ id: string }>("/api/admin/service-accounts", { name: "sync" });
    account = body.id;
    first = String(await tokensOf(service).positionOf(headers.get("x-consistency-token") ?? ""));
    await operator.post("/api/admin/api-keys", { email: "ada@example.com" });
    await operator.delete(`/api/admin/service-accounts/${account}`);
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  /** Without the account that the service under test came with. */
  const list = async (...options: string[]): Promise<readonly PrintedEvent[]> =>
    (await cli.askForJson<{ events: PrintedEvent[] }>(service.operator, "events", "--from", first, ...options)).events;

  it("are printed in the order of the log, with their data and without hashes of secrets", async () => {
    const events = await list();
    // On the folder it is the same.
    const { events: here } = await cli.runForJson<{ events: PrintedEvent[] }>("events", "--from", first);
    expect(here).to.deep.equal(events);
    expect(events.map(({ type }) => type)).to.deep.equal([
      "ServiceAccountCreated",
      "ApiKeyCreated",
      "ServiceAccountRevoked",
    ]);
    expect(events[0]).to.deep.include({
      stream: `serviceAccount-${account}`,
      revision: 0,
      by: "operator",
      data: { id: account, name: "sync", datasources: null, expiresAt: null },
    });
  });

  it("are picked by stream, category and position", async () => {
    expect((await list("--stream", `serviceAccount-${account}`)).map(({ revision }) => revision)).to.deep.equal([0, 1]);
    expect((await list("--category", "apiKey")).map(({ type }) => type)).to.deep.equal(["ApiKeyCreated"]);
    const [, second] = await list();
    expect((await list("--from", second?.position ?? "")).map(({ type }) => type)).to.deep.equal([
      "ApiKeyCreated",
      "ServiceAccountRevoked",
    ]);
    expect(await list("--from", "999999999")).to.deep.equal([]);
    expect(await list("--category", "document")).to.deep.equal([]);
  });

  it("are an aligned list for people", async () => {
    const { stdout } = await cli.ask(service.operator, "events", "--from", first);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).to.have.length(4);
    expect(lines.map((line) => line.search(/STREAM|serviceAccount-|apiKey-/))).to.deep.equal(
      lines.map(() => lines[0]?.indexOf("STREAM")),
    );
  });

  it("name the datasource that they belong to, whatever has become of it", async () => {
    const { indexing } = service;
    const names = async (): Promise<readonly unknown[]> =>
      (await list("--category", "user")).map((event) => (event as PrintedEvent & { datasource: unknown }).datasource);
    await indexing.post("/api/indexing/datasources", { name: "wiki" });
    await indexing.post("/api/indexing/users", { datasource: "wiki", user: { email: "ada@example.com" } });
    expect(await names()).to.deep.equal(["wiki"]);
    await indexing.delete("/api/indexing/datasources/wiki");
    await indexing.post("/api/indexing/datasources", { name: "board" });
    await indexing.post("/api/indexing/users", { datasource: "board", user: { email: "ada@example.com" } });
    expect(await names()).to.deep.equal(["wiki", "board"]);
    const { stdout } = await cli.run("events", "--category", "user");
    expect(stdout).to.match(/ wiki +user-\w+:ada@example\.com\n.* board +user-/);
    expect((await list("--category", "apiKey")).map((event) => "datasource" in event)).to.deep.equal([true]);
  });

  it("are followed as they happen, one JSON object a line, until Ctrl-C", async () => {
    const following = cli.startProcess(["events", "--follow", "--json", "--category", "apiKey"]);
    await following.printed(/ada@example\.com/);
    await service.operator.post("/api/admin/api-keys", { email: "ben@example.com" });
    await following.printed(/ben@example\.com/);
    following.signal("SIGINT");
    const { code, stdout } = await following.ended;
    expect(code).to.equal(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as PrintedEvent).data["email"]),
    ).to.deep.equal(["ada@example.com", "ben@example.com"]);
  });
});
