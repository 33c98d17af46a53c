import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { documentIdOf } from "../../src/cli/import/documentIdOf.js";
import { CommandLine, eventually } from "./commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

interface Report {
  readonly datasource: string;
  readonly registered: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly stopped: string | null;
  readonly visible_to_nobody: readonly string[];
  readonly unused_rules: readonly string[];
  readonly documents: readonly { readonly path: string; readonly outcome: string; readonly message: string }[];
}

const counts = (sent: number, indexed: number, skipped: number, failed = 0) => ({
  sent,
  already_indexed: indexed,
  skipped,
  failed,
});

describe("import", function () {
  this.timeout(120_000);
  let cli: CommandLine;
  let folder: string;
  beforeEach(async () => {
    cli = await CommandLine.onFreshFolder();
    folder = temporaryFolder("handbook").path;
    await put("welcome.md", "# Welcome\nto the house");
    await put("hr/pay.md", "# Pay\nis a secret");
    await put(
      "pages/about.html",
      "<html><head><title>About us</title></head><body><p>Founded by <b>two</b> people</p></body></html>",
    );
    await put("logo.png", "\u0089PNG\0");
  });
  afterEach(async () => {
    await cli.clear();
    await rm(folder, { recursive: true, force: true });
  });

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  const runImport = (...options: string[]): Promise<Report> =>
    cli.runForJson<Report>("import", folder, "--datasource", "handbook", ...options);

  /** Whether each person may see each file, as a running server answers. */
  async function access(emails: readonly string[], paths: readonly string[]): Promise<Record<string, boolean[]>> {
    const { command, url } = await cli.serve();
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "checks");
    const post = (path: string, body: object) =>
      fetch(`${url}/api/indexing/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const answers: Record<string, boolean[]> = {};
    for (const email of emails) {
      const registered = await eventually(
        () => post("users", { datasource: "handbook", user: { email } }),
        ({ status }) => status !== 401,
      );
      expect(registered.status).to.equal(200);
      answers[email] = await Promise.all(
        paths.map(async (path) => {
          const check = () =>
            post("documents/check-access", {
              datasource: "handbook",
              document_id: documentIdOf(path),
              user_email: email,
            });
          return ((await (await eventually(check, ({ status }) => status === 200)).json()) as { has_access: boolean })
            .has_access;
        }),
      );
    }
    command.signal("SIGTERM");
    await command.ended;
    return answers;
  }

  it("sends every text once: again, what is unchanged answers already_indexed", async () => {
    const first = await runImport("--anonymous");
    expect(first).to.deep.include({ registered: true, counts: counts(3, 0, 1), stopped: null });
    expect(first.documents.find(({ path }) => path === "logo.png")).to.deep.include({
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

  it("leaves no credential behind that still works", async () => {
    await runImport();
    const { service_accounts: accounts } = await cli.runForJson<{
      service_accounts: { state: string; datasources: string[] }[];
    }>("service-account", "list");
    expect(accounts.map(({ state, datasources }) => ({ state, datasources }))).to.deep.equal([
      { state: "revoked", datasources: ["handbook"] },
    ]);
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
    expect(
      await access(["ada@example.com", "ben@example.com"], ["hr/pay.md", "welcome.md", "pages/about.html"]),
    ).to.deep.equal({
      "ada@example.com": [true, true, false],
      "ben@example.com": [false, true, false],
    });
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
    const { code, stdout, stderr } = await cli.run("import", folder, "--datasource", "handbook");
    expect(code).to.equal(1);
    expect(stdout).to.include("Restricted before, now visible to every registered user:\n  hr/pay.md\n");
    expect(stderr).to.include("--acl FILE");
    expect((await runImport("--acl", acl)).counts).to.deep.equal(counts(1, 2, 1));
  });

  it("imports nothing where the rules are not valid", async () => {
    const acl = join(folder, ".access.json");
    await writeFile(acl, '{"rules": [{"match": "**", "group": ["hr"]}]}');
    const { code, stderr } = await cli.run("import", folder, "--datasource", "handbook", "--acl", acl);
    expect(code).to.equal(2);
    expect(stderr).to.include("are not valid, so nothing was imported:\n");
    expect((await cli.runForJson<{ events: unknown[] }>("events")).events).to.deep.equal([]);
  });

  it("works beside a running server, and through its address", async () => {
    const { url } = await cli.serve();
    expect((await runImport()).counts).to.deep.equal(counts(3, 0, 1));
    const { token } = await cli.runForJson<{ token: string }>("service-account", "create", "--name", "remote");
    await eventually(
      () => fetch(`${url}/api/indexing/datasources`, { headers: { authorization: `Bearer ${token}` } }),
      ({ status }) => status === 200,
    );
    expect((await runImport("--url", url, "--token", token)).counts).to.deep.equal(counts(0, 3, 1));
  });

  it("goes on where it was killed", async () => {
    for (let at = 0; at < 600; at++) await put(`many/${at}.md`, `# Number ${at}\n${"words to read ".repeat(200)}`);
    const killed = cli.startProcess(["import", folder, "--datasource", "handbook"]);
    const following = cli.start(["events", "--follow", "--json", "--category", "document"]);
    const endedBefore = killed.ended.then(({ code, stderr }) =>
      Promise.reject(new Error(`It ended with ${code} before it was killed: ${stderr}`)),
    );
    await Promise.race([following.printed(/DocumentIndexed/), endedBefore]);
    killed.signal("SIGKILL");
    following.signal("SIGTERM");
    await Promise.all([killed.ended, following.ended]);
    const { counts: resumed } = await runImport();
    expect(resumed["already_indexed"]).to.be.greaterThan(0);
    expect((resumed["sent"] ?? 0) + (resumed["already_indexed"] ?? 0)).to.equal(603);
    expect((await runImport()).counts).to.deep.equal(counts(0, 603, 1));
  });
});
