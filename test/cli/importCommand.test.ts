import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { documentIdOf } from "../../src/cli/import/toPushedDocument.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";
import { eventually } from "../support/pauses.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

interface Report {
  readonly datasource: string;
  readonly registered: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly stopped: string | null;
  readonly visible_to_nobody: readonly string[];
  readonly unused_rules: readonly string[];
  readonly deletion: object | null;
  readonly documents: readonly { readonly path: string; readonly outcome: string; readonly message: string }[];
}

const counts = (sent: number, indexed: number, skipped: number, failed = 0) => ({
  sent,
  already_indexed: indexed,
  skipped,
  failed,
});

describe("import", () => {
  let service: ServiceUnderTest;
  let cli: CommandLine;
  let folder: string;
  let datasource: string;
  let datasources = 0;
  before(async () => {
    service = await startServiceUnderTest();
    cli = CommandLine.onFolderOf(service);
  });
  after(async () => {
    await service.stop();
    await cli.clear();
  });
  beforeEach(async () => {
    datasource = `handbook${datasources++}`;
    folder = temporaryFolder("handbook").path;
    await put("welcome.md", "# Welcome\nto the house");
    await put("hr/pay.md", "# Pay\nis a secret");
    await put(
      "pages/about.html",
      "<html><head><title>About us</title></head><body><p>Founded by <b>two</b> people</p></body></html>",
    );
    await put("program.bin", "\u0089PNG\0");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  const command = (...options: string[]): string[] => ["import", folder, "--datasource", datasource, ...options];
  /** What a command takes to push to the service. */
  const there = (): string[] => ["--url", service.url, "--token", service.indexing.credential ?? ""];
  const runImport = (...options: string[]): Promise<Report> =>
    cli.runForJson<Report>(...command(...there(), ...options));

  /** Whether a person may see each file. */
  async function access(email: string, paths: readonly string[]): Promise<boolean[]> {
    const { indexing } = service;
    expect((await indexing.post("/api/indexing/users", { datasource, user: { email } })).status).to.equal(200);
    return Promise.all(
      paths.map(async (path) => {
        const asked = { datasource, document_id: documentIdOf(path), user_email: email };
        const ask = () => indexing.post<{ has_access: boolean }>("/api/indexing/documents/check-access", asked);
        return (await eventually(ask, ({ status }) => status === 200)).body.has_access;
      }),
    );
  }

  it("sends every text once: again, what is unchanged answers already_indexed", async () => {
    const first = await runImport("--anonymous");
    expect(first).to.deep.include({ registered: true, counts: counts(3, 0, 1), stopped: null });
    expect(first.documents.find(({ path }) => path === "program.bin")).to.deep.include({
      outcome: "skipped",
      message: "It is not text.",
    });
    expect(await runImport("--anonymous")).to.deep.include({ registered: false, counts: counts(0, 3, 1) });

    await put("welcome.md", "# Welcome\nto the new house");
    await utimes(join(folder, "welcome.md"), new Date(), new Date(Date.now() + 5_000));
    const third = await runImport("--anonymous");
    expect(third.counts).to.deep.equal(counts(1, 2, 1));
    expect(third.documents.find(({ outcome }) => outcome === "sent")?.path).to.equal("welcome.md");
  });

  it("gives access as the rules say, and to nobody where they are silent", async () => {
    const acl = join(folder, "access.yaml");
    await writeFile(
      acl,
      'rules:\n  - match: "hr/**"\n    users: [ada@example.com]\n  - match: "*.md"\n    anonymous: true\n  - match: "typo/**"\n    groups: [hr]\n',
    );
    const report = await runImport("--acl", acl);
    expect(report).to.deep.include({
      counts: counts(3, 0, 1),
      visible_to_nobody: ["pages/about.html"],
      unused_rules: ["typo/**"],
    });
    expect(report.documents.map(({ path }) => path)).not.to.include("access.yaml");
    const paths = ["hr/pay.md", "welcome.md", "pages/about.html"];
    expect(await access("ada@example.com", paths)).to.deep.equal([true, true, false]);
    expect(await access("ben@example.com", paths)).to.deep.equal([false, true, false]);
  });

  it("sends an unchanged file again where its access has changed", async () => {
    const acl = join(folder, ".access.json");
    await writeFile(acl, '{"rules": [{"match": "**", "groups": ["staff"]}]}');
    await runImport("--acl", acl);
    await writeFile(acl, '{"rules": [{"match": "hr/**", "groups": ["hr"]}, {"match": "**", "groups": ["staff"]}]}');
    const report = await runImport("--acl", acl);
    expect(report.documents.filter(({ outcome }) => outcome === "sent").map(({ path }) => path)).to.deep.equal([
      "hr/pay.md",
    ]);
  });

  it("does not open what was restricted unless it is told to", async () => {
    const acl = join(folder, ".access.json");
    await writeFile(acl, '{"rules": [{"match": "**", "groups": ["hr"]}]}');
    await runImport("--acl", acl);
    const { code, stdout, stderr } = await cli.run(...command(...there()));
    expect(code).to.equal(1);
    expect(stdout).to.include("Restricted, and would have been opened:\n  hr/pay.md\n");
    expect(stderr).to.include("Nothing was imported:").and.include("--acl FILE");
    expect((await runImport("--acl", acl)).counts).to.deep.equal(counts(0, 3, 1));
    expect((await runImport("--anonymous")).counts).to.deep.equal(counts(3, 0, 1));
  });

  it("imports nothing where the rules are not valid", async () => {
    const acl = join(folder, ".access.json");
    await writeFile(acl, '{"rules": [{"match": "**", "group": ["hr"]}]}');
    const { code, stderr } = await cli.run(...command("--acl", acl));
    expect(code).to.equal(2);
    expect(stderr).to.include("are not valid, so nothing was imported:\n");
    expect((await service.indexing.get(`/api/indexing/datasources/${datasource}`)).status).to.equal(404);
  });

  it("deletes documents of files that are gone, where it is told to, and not above the share", async () => {
    await runImport("--anonymous");
    const refusal = await cli.run(...command(...there(), "--anonymous", "--delete-missing"));
    expect([refusal.code, refusal.stderr.includes("--yes")]).to.deep.equal([2, true]);
    await rm(join(folder, "hr"), { recursive: true });
    await writeFile(join(folder, "welcome.md"), Buffer.from([0x89, 0x50, 0, 1]));
    const { code, stdout } = await cli.run(...command(...there(), "--anonymous", "--delete-missing", "--yes"));
    expect(code).to.equal(1);
    expect(stdout)
      .to.include("1 of 3 documents were not seen")
      .and.include("--max-deleted-share")
      .and.include("pay.md");
    const report = await runImport("--anonymous", "--delete-missing", "--yes", "--max-deleted-share", "0.5");
    expect(report.deletion).to.deep.include({ would_delete: 1, documents: 3, deleted: 1, kept: null });
    const { body } = await service.indexing.get<{ documents: { id: string }[] }>(
      `/api/indexing/documents/${datasource}`,
    );
    expect(body.documents.map(({ id }) => id).sort()).to.deep.equal(
      ["pages/about.html", "welcome.md"].map(documentIdOf).sort(),
    );
  });

  it("works beside a running server, and leaves no credential behind that still works", async () => {
    expect((await cli.runForJson<Report>(...command())).counts).to.deep.equal(counts(3, 0, 1));
    expect((await runImport()).counts).to.deep.equal(counts(0, 3, 1));
    const { body } = await service.operator.get<{
      service_accounts: { name: string; state: string; datasources: string[] | null }[];
    }>("/api/admin/service-accounts");
    const account = body.service_accounts.find(({ name }) => name === `import into ${datasource}`);
    expect(account).to.deep.include({ state: "revoked", datasources: [datasource] });
  });

  it("goes on where it was killed", async () => {
    for (let at = 0; at < 600; at++) await put(`many/${at}.md`, `# Number ${at}\n${"words to read ".repeat(200)}`);
    const killed = cli.startProcess(command());
    const following = cli.start(["events", "--follow", "--json", "--category", "document", "--url", service.url], {
      ENTERPRISE_SEARCH_KEY: service.operator.credential ?? "",
    });
    const endedBefore = killed.ended.then(({ code, stderr }) =>
      Promise.reject(new Error(`It ended with ${code} before it was killed: ${stderr}`)),
    );
    await Promise.race([following.printed(new RegExp(`"DocumentIndexed".*"datasource":"${datasource}"`)), endedBefore]);
    killed.signal("SIGKILL");
    following.signal("SIGTERM");
    await Promise.all([killed.ended, following.ended]);
    const { counts: resumed } = await runImport();
    expect(resumed["already_indexed"]).to.be.greaterThan(0);
    expect((resumed["sent"] ?? 0) + (resumed["already_indexed"] ?? 0)).to.equal(603);
    expect((await runImport()).counts).to.deep.equal(counts(0, 603, 1));
  });
});
