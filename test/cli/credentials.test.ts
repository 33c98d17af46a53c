import { expect } from "chai";
import { CommandLine, eventually } from "./commandLine.js";

interface Listed {
  readonly id: string;
  readonly state: string;
}

describe("credentials on the command line", function () {
  this.timeout(60_000);
  let cli: CommandLine;
  beforeEach(async () => (cli = await CommandLine.onFreshFolder()));
  afterEach(() => cli.clear());

  it("are created, listed and revoked while no server runs; the secret is shown once", async () => {
    const account = await cli.runForJson<{ id: string; token: string }>(
      "service-account",
      "create",
      "--name",
      " wiki sync ",
      "--datasource",
      "wiki",
      "hr",
      "--expires",
      "2999-01-31",
    );
    expect(account).to.deep.equal({
      id: account.id,
      name: "wiki sync",
      datasources: ["wiki", "hr"],
      expires_at: "2999-01-31T00:00:00.000Z",
      token: account.token,
    });
    expect(account.token).to.match(new RegExp(`^amber_sa_${account.id}_`));

    const created = await cli.run("service-account", "list", "--json");
    expect(created.stdout).not.to.include(account.token.slice(-20));
    const [listed] = (JSON.parse(created.stdout) as { service_accounts: (Listed & { created_at: string })[] })
      .service_accounts;
    expect(listed).to.deep.equal({
      id: account.id,
      name: "wiki sync",
      datasources: ["wiki", "hr"],
      created_at: listed?.created_at,
      expires_at: "2999-01-31T00:00:00.000Z",
      revoked_at: null,
      state: "active",
    });

    expect(await cli.runForJson("service-account", "revoke", account.id)).to.deep.equal({
      id: account.id,
      revoked: true,
    });
    const { service_accounts: accounts } = await cli.runForJson<{ service_accounts: Listed[] }>(
      "service-account",
      "list",
    );
    expect(accounts.map(({ id, state }) => ({ id, state }))).to.deep.equal([{ id: account.id, state: "revoked" }]);
  });

  it("print nothing on stdout but the secret, so that a shell can keep it", async () => {
    const key = await cli.startProcess(["api-key", "create", "--email", " Ada@Example.com "]).ended;
    expect(key.code).to.equal(0);
    expect(key.stdout).to.match(/^amber_key_\S+\n$/);
    expect(key.stderr).to.match(/^Personal key \S+ of ada@example.com: it is shown once/);
    const { stdout } = await cli.run("api-key", "list");
    expect(stdout).to.match(
      /^ID +EMAIL +ROLES +CREATED \(UTC\) +EXPIRES \(UTC\) +STATE\n\S+ +ada@example\.com +- +\d{4}-\d{2}-\d{2} \d{2}:\d{2} +never +active\n$/,
    );
  });

  it("carry roles", async () => {
    const key = await cli.runForJson<{ roles: string[] }>(
      "api-key",
      "create",
      "--email",
      "ada@example.com",
      "--role",
      "operator",
      "--role",
      "auditor",
      "--role",
      "operator",
    );
    expect(key.roles).to.deep.equal(["auditor", "operator"]);
    const { api_keys: listed } = await cli.runForJson<{ api_keys: { roles: string[] }[] }>("api-key", "list");
    expect(listed.map(({ roles }) => roles)).to.deep.equal([["auditor", "operator"]]);
    const { code, stderr } = await cli.run("api-key", "create", "--email", "ada@example.com", "--role", "king");
    expect(code).to.equal(2);
    expect(stderr).to.include("Allowed choices are auditor, operator.");
  });

  it("are not found under a wrong id", async () => {
    const { code, stdout, stderr } = await cli.run("api-key", "revoke", "nobody", "--json");
    expect(code).to.equal(1);
    expect(stderr).to.equal('There is no credential with the id "nobody".\n');
    expect(JSON.parse(stdout)).to.deep.equal({ error: stderr.trim() });
  });

  it("work and cease to work on a running server", async () => {
    const { url } = await cli.serve();
    const statusWith = (path: string, credential: string) => async () =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${credential}` } })).status;

    const account = await cli.runForJson<{ id: string; token: string }>("service-account", "create", "--name", "sync");
    const key = await cli.runForJson<{ id: string; key: string }>("api-key", "create", "--email", "ada@example.com");
    const withToken = statusWith("/api/indexing/datasources", account.token);
    const withKey = statusWith("/api/beta/search?query=x", key.key);
    await eventually(withToken, (status) => status === 200);
    await eventually(withKey, (status) => status === 200);

    await cli.run("service-account", "revoke", account.id);
    await cli.run("api-key", "revoke", key.id);
    await eventually(withToken, (status) => status === 401);
    await eventually(withKey, (status) => status === 401);
  });
});
