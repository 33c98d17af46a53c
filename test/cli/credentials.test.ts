import { expect } from "chai";
import { ApiClient } from "../support/apiClient.js";
import { CommandLine } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

interface Account {
  readonly id: string;
  readonly token: string;
}

const role = (name: string): readonly string[] => ["--role", name];

describe("credentials on the command line", () => {
  let cli: CommandLine;
  before(async () => (cli = await CommandLine.onFreshFolder()));
  after(() => cli.clear());

  const statusOf = async (url: string, path: string, credential: string): Promise<number> =>
    (await new ApiClient(url, credential).get(path)).status;

  it("are created while no server runs, work and cease to work on a running one; the secret is shown once", async () => {
    const account = await cli.runForJson<Account>(
      ...["service-account", "create", "--name", " wiki sync "],
      ...["--datasource", "wiki", "hr", "--expires", "2999-01-31"],
    );
    const told = {
      id: account.id,
      name: "wiki sync",
      datasources: ["wiki", "hr"],
      expires_at: "2999-01-31T00:00:00.000Z",
    };
    expect(account).to.deep.equal({ ...told, token: account.token });
    expect(account.token).to.match(new RegExp(`^amber_sa_${account.id}_`));

    const { url, command } = await cli.serve();
    const status = () => statusOf(url, "/api/indexing/datasources", account.token);
    expect(await eventually(status, (answered) => answered !== 401)).to.equal(200);
    const revoked = await cli.runForJson("service-account", "revoke", account.id);
    expect(revoked).to.deep.equal({ id: account.id, revoked: true });
    expect(await eventually(status, (answered) => answered !== 200)).to.equal(401);
    command.signal("SIGTERM");
    await command.ended;

    const { stdout } = await cli.run("service-account", "list", "--json");
    expect(stdout).not.to.include(account.token.slice(-20));
    const [listed] = (JSON.parse(stdout) as { service_accounts: Record<string, string>[] }).service_accounts;
    const { created_at: created, revoked_at: ended } = listed ?? {};
    expect(listed).to.deep.equal({
      ...told,
      datasources_gone: [],
      previous_token_ends_at: null,
      created_by: "operator",
      last_used_at: null,
      created_at: created,
      revoked_at: ended,
      state: "revoked",
    });
    expect([created, ended].every((at) => !Number.isNaN(Date.parse(at ?? "")))).to.equal(true);
  });

  it("print nothing on stdout but the secret, so that a shell can keep it, and carry roles", async () => {
    const roles = ["operator", "auditor", "operator"].flatMap(role);
    const key = await cli.startProcess(["api-key", "create", "--email", " Ada@Example.com ", ...roles]).ended;
    expect(key.code).to.equal(0);
    expect(key.stdout).to.match(/^amber_key_\S+\n$/);
    expect(key.stderr).to.match(/^Personal key \S+ of ada@example.com: it is shown once/);
    const plain = await cli.runForJson<{ id: string; roles: string[] }>("api-key", "create", "--email", "ben@b.org");
    expect(plain.roles).to.deep.equal([]);
    await cli.runForJson("api-key", "revoke", plain.id);
    const { stdout } = await cli.run("api-key", "list");
    expect(stdout).to.match(
      /^ID +EMAIL +ROLES +LANGUAGE +CREATED \(UTC\) +LAST USED \(UTC\) +EXPIRES \(UTC\) +STATE\n\S+ +ada@example\.com +auditor, operator +- +\d{4}-\d{2}-\d{2} \d{2}:\d{2} +- +never +active\n\S+ +ben@b\.org +- +- +.* +never +revoked\n$/,
    );
  });

  it("carry no role that there is none of", async () => {
    const { code, stderr } = await cli.run("api-key", "create", "--email", "ada@example.com", ...role("king"));
    expect(code).to.equal(2);
    expect(stderr).to.include("Allowed choices are auditor, operator.");
  });

  it("are not found under a wrong id", async () => {
    const { code, stdout, stderr } = await cli.run("api-key", "revoke", "nobody", "--json");
    expect(code).to.equal(1);
    expect(stderr).to.equal('There is no credential with the id "nobody".\n');
    expect(JSON.parse(stdout)).to.deep.equal({ error: stderr.trim() });
  });
});
