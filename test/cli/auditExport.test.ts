import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { ApiClient } from "../support/apiClient.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine, type Ended } from "./commandLine.js";

interface Exported {
  readonly facts: number;
  readonly facts_before: number;
  readonly last_hash: string;
  readonly key: string;
}

interface Verified {
  readonly valid: boolean;
  readonly exports: readonly { readonly findings: readonly { readonly line: number; readonly kind: string }[] }[];
}

describe("audit export and audit verify", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let auditor: ApiClient;
  let between: string;

  interface Run<Value> {
    readonly code: number | null;
    readonly stderr: string;
    readonly printed: Value;
  }
  const file = (name: string): string => join(service.dataDir, name);
  const read = <Value>({ stdout, ...ended }: Ended): Run<Value> => ({
    ...ended,
    printed: (stdout === "" ? null : JSON.parse(stdout)) as Value,
  });
  /** On the data folder. */
  const run = async <Value>(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run<Value>> =>
    read(await cli.start(["audit", ...args, "--json"], env).ended);
  /** At the service. */
  const ask = async <Value>(...args: readonly string[]): Promise<Run<Value>> =>
    read(await cli.ask(auditor, "audit", ...args, "--json"));
  const findings = ({ exports }: Verified): readonly (readonly [number, string])[] =>
    exports.flatMap((each) => each.findings.map(({ line, kind }) => [line, kind] as const));

  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
    auditor = await service.person("grace@example.com", "auditor");
    const write = async (path: string, body: object): Promise<string> =>
      (await service.indexing.post(`/api/indexing/${path}`, body)).headers.get("x-consistency-token") ?? "";
    await write("datasources", { name: "wiki", display_name: "Secret display name" });
    await write("users", { datasource: "wiki", user: { email: "ada@example.com", name: "Ada Lovelace" } });
    between = await write("groups", { datasource: "wiki", group: { name: "hr" } });
    await write("memberships", {
      datasource: "wiki",
      membership: { group_name: "hr", member_email: "ada@example.com" },
    });
    const body = { mime_type: "text/plain", text_content: "Secret text" };
    await write("documents", {
      documents: {
        datasource: "wiki",
        id: "plan",
        title: "Secret title",
        author: "Secret author",
        path: "Secret/path",
        file_type: "page",
        body,
        permissions: { allowed_groups: ["hr"] },
      },
    });
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });

  it("hold who may see what, and nothing of what they see", async () => {
    const { code, printed } = await ask<Exported>("export", "--out", file("all.jsonl"));
    expect(code).to.equal(0);
    expect(printed).to.deep.include({ facts: 5, facts_before: 0 });
    const text = await readFile(file("all.jsonl"), "utf8");
    const facts = text
      .split("\n")
      .slice(1, -2)
      .map((line) => JSON.parse(line) as { type: string; facts: object });
    expect(facts.map(({ type }) => type)).to.deep.equal([
      "DatasourceRegistered",
      "UserRegistered",
      "GroupCreated",
      "MembershipAdded",
      "DocumentIndexed",
    ]);
    expect(facts[4]?.facts).to.deep.include({
      datasource: "wiki",
      document_id: "plan",
      access: { anonymous: false, users: [], groups: ["hr"] },
    });
    expect(text).not.to.match(/secret|lovelace|sha256/i);
  });

  it("agree with the log of the data folder, and of a service", async () => {
    await run(["export", "--out", file("here.jsonl")]);
    const there = await ask<Exported>("export", "--out", file("there.jsonl"));
    expect(there.printed).to.deep.include({ facts: 5 });
    const [here, remote] = await Promise.all(
      ["here.jsonl", "there.jsonl"].map(async (name) => (await readFile(file(name), "utf8")).split("\n").slice(1, -2)),
    );
    expect(remote).to.deep.equal(here);
    expect((await run<Verified>(["verify", file("there.jsonl")])).printed).to.deep.include({ valid: true });
    expect((await ask<Verified>("verify", file("here.jsonl"))).printed).to.deep.include({ valid: true });
  });

  it("are joined where one ends at the moment at which the other begins", async () => {
    const first = await run<Exported>(["export", "--to", between, "--out", file("first.jsonl")]);
    const second = await ask<Exported>("export", "--from", between, "--out", file("second.jsonl"));
    expect([first.printed.facts, second.printed.facts_before, second.printed.facts]).to.deep.equal([3, 3, 2]);
    expect((await ask<Verified>("verify", file("first.jsonl"), file("second.jsonl"))).code).to.equal(0);
    const swapped = await ask<Verified>("verify", file("second.jsonl"), file("first.jsonl"));
    expect([swapped.code, findings(swapped.printed)]).to.deep.equal([1, [[1, "missing"]]]);
  });

  it("say which line was altered, and end with 1", async () => {
    await ask("export", "--out", file("good.jsonl"));
    const lines = (await readFile(file("good.jsonl"), "utf8")).split("\n");
    await writeFile(file("bad.jsonl"), lines.with(2, (lines[2] ?? "").replace("ada@", "eve@")).join("\n"));
    const verified = await ask<Verified>("verify", file("bad.jsonl"));
    expect([verified.code, findings(verified.printed)]).to.deep.equal([1, [[3, "altered"]]]);
    const { stdout } = await cli.ask(auditor, "audit", "verify", file("bad.jsonl"));
    expect(stdout).to.match(/bad\.jsonl is not what was exported\.[\s\S]*\n3 +altered +This line was altered/);
  });

  it("are verified with a key that was kept, without the log", async () => {
    await ask("export", "--out", file("kept.jsonl"));
    const { stdout } = await cli.run("audit", "public-key");
    await writeFile(file("key.pem"), stdout);
    const elsewhere = await CommandLine.onFreshFolder();
    const otherFolder = { DATA_DIR: elsewhere.dataDir };
    expect(
      (await run<Verified>(["verify", "--file-only", "--public-key", file("key.pem"), file("kept.jsonl")], otherFolder))
        .printed,
    ).to.deep.include({ valid: true });
    const other = await run<Verified>(["verify", file("kept.jsonl")], otherFolder);
    await elsewhere.clear();
    expect(findings(other.printed).map(([, kind]) => kind)).to.include.members(["signature", "differs"]);
    expect((await ask<{ public_key: string }>("public-key")).printed.public_key.trim()).to.equal(stdout.trim());
  });

  const misuses: readonly (readonly [string, readonly string[], string])[] = [
    ["a moment to come", ["export", "--to", "2999-01-01", "--out", "x"], "must not lie in the future"],
    [
      "a moment that is none",
      ["export", "--from", "yesterday", "--out", "x"],
      "A moment is an ISO 8601 time, a consistency token of this service or the position of an event",
    ],
    ["a folder to write to that is not there", ["export", "--out", "/nowhere/x"], "/nowhere/x cannot be written"],
    ["a file that is not there", ["verify", "nowhere.jsonl"], "nowhere.jsonl cannot be read"],
    ["a key that is none", ["verify", "--public-key", "package.json", "x"], "package.json holds no public key in PEM"],
  ];
  for (const [what, args, sentence] of misuses) {
    it(`refuse ${what} with 2 and a sentence`, async () => {
      const { code, stderr } = await ask(...args);
      expect(code).to.equal(2);
      expect(stderr).to.include(sentence);
    });
  }

  it("refuse an address without a key with 2 and a sentence", async () => {
    const { code, stderr } = await run(["export", "--out", "x", "--url", "http://127.0.0.1:1"]);
    expect(code).to.equal(2);
    expect(stderr).to.include("ENTERPRISE_SEARCH_KEY");
  });
});
