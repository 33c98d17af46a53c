import { expect } from "chai";
import { ApiClient } from "../support/apiClient.js";
import { signIn } from "../support/startService.js";
import { CommandLine } from "./commandLine.js";
import { eventually } from "../support/pauses.js";

interface Created {
  readonly email: string;
  readonly roles: readonly string[];
  readonly link: { readonly url: string; readonly expires_at: string } | null;
}

const password = "five words that only Ada knows";
const roles = (...names: readonly string[]): readonly string[] => names.flatMap((name) => ["--role", name]);

describe("accounts on the command line", () => {
  let cli: CommandLine;
  before(async () => (cli = await CommandLine.onFreshFolder()));
  after(() => cli.clear());

  it("are created with a link to where people reach the service, which a running one takes", async () => {
    const asked = ["account", "create", "--email", " Ada@Example.com ", ...roles("administrator", "developer")];
    const shown = await cli.start(asked, { PUBLIC_URL: "https://search.example.com" }).ended;
    expect(shown.code, shown.stderr).to.equal(0);
    expect(shown.stdout).to.match(/^https:\/\/search\.example\.com\/welcome#email=ada%40example\.com&secret=\w{43}\n$/);
    expect(shown.stderr).to.match(/^With this link ada@example.com sets a password, once, until .* UTC\./);
    const issued = await cli.start(["account", "link", "ada@example.com", "--json"], { HOST: "0.0.0.0", PORT: "8080" })
      .ended;
    const { link } = JSON.parse(issued.stdout) as Created;
    expect(link?.url).to.match(/^http:\/\/localhost:8080\/welcome#/);

    const { url, command } = await cli.serve();
    const client = new ApiClient(url, null);
    const secret = new URLSearchParams(new URL(link?.url ?? "").hash.slice(1)).get("secret");
    const use = () => client.post("/api/session/link", { email: "ada@example.com", secret, password });
    expect((await use()).status).to.equal(200);
    const page = client.signedIn(await signIn(client, "ada@example.com", password));
    expect((await page.get("/api/session")).body).to.deep.include({ roles: ["administrator", "developer"] });

    const given = await cli.runForJson("account", "roles", "ada@example.com", ...roles("auditor"));
    expect(given).to.deep.equal({ email: "ada@example.com", roles: ["auditor"] });
    expect(
      await eventually(
        async () => (await page.get("/api/session")).status,
        (status) => status !== 200,
      ),
    ).to.equal(401);
    expect(await cli.runForJson("account", "disable", "ada@example.com")).to.deep.equal({
      email: "ada@example.com",
      state: "disabled",
    });
    expect((await client.post("/api/session", { email: "ada@example.com", password })).status).to.equal(401);
    expect(await cli.runForJson("account", "enable", "ada@example.com")).to.have.property("state", "enabled");
    await signIn(client, "ada@example.com", password);
    command.signal("SIGTERM");
    await command.ended;

    const { stdout } = await cli.run("account", "list");
    expect(stdout).to.match(
      /^EMAIL +ROLES +PASSWORD +CREATED \(UTC\) +LAST SIGN-IN \(UTC\) +STATE\nada@example\.com +auditor +yes +\S+ \S+ +\S+ \S+ +enabled\n$/,
    );
  });

  it("take a password from standard input, and none that is easy to guess", async () => {
    const create = (email: string, stdin: string) =>
      cli.start(["account", "create", "--email", email, "--password-stdin", "--json"], {}, stdin).ended;
    const created = await create("bob@example.com", `${password}\n`);
    expect(JSON.parse(created.stdout)).to.deep.equal({ email: "bob@example.com", roles: [], link: null });
    const refused = await create("cat@example.com", "password1234\n");
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include("easy to guess");
    const missing = await create("cat@example.com", "");
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include("standard input");
    const twice = await create("bob@example.com", password);
    expect(twice.stderr).to.equal('There is an account for "bob@example.com" already.\n');
  });

  it("have roles that there are, and are there", async () => {
    const king = await cli.run("account", "create", "--email", "x@example.com", ...roles("king"));
    expect(king.code).to.equal(2);
    expect(king.stderr).to.include("Allowed choices are administrator, developer, auditor, operator.");
    const unsaid = await cli.run("account", "roles", "bob@example.com");
    expect({ code: unsaid.code, stdout: unsaid.stdout }).to.deep.equal({ code: 2, stdout: "" });
    expect(unsaid.stderr).to.include("--none");
    expect((await cli.run("account", "roles", "bob@example.com", "--none", ...roles("auditor"))).code).to.equal(2);
    const none = await cli.run("account", "roles", "bob@example.com", "--none");
    expect(none.stdout).to.equal("bob@example.com has no roles now.\n");
    const nobody = await cli.run("account", "disable", "nobody@example.com");
    expect({ code: nobody.code, stderr: nobody.stderr }).to.deep.equal({
      code: 1,
      stderr: 'There is no account for "nobody@example.com".\n',
    });
  });

  it("begin with a link that the program, as it is shipped, writes into its log", async () => {
    const fresh = CommandLine.onEmptyFolder();
    try {
      const { url, command } = await fresh.serveInProcess({ LOG_LEVEL: "info" });
      const [, secret] = await command.noted(/welcome#first=(\w+)/);
      const client = new ApiClient(url, null);
      const use = (chosen: string) =>
        client.post("/api/session/link", { email: "First@example.com", secret, password: chosen });
      expect((await use("passwordpassword")).status).to.equal(422);
      const first = await use(password);
      expect(first.status).to.equal(200);
      expect(first.body).to.deep.include({
        email: "first@example.com",
        roles: ["administrator", "auditor", "developer", "operator"],
      });
      expect((await use(password)).status).not.to.equal(200);
    } finally {
      await fresh.clear();
    }
  });
});

describe("a service account on the command line", () => {
  it("gets a new token beside the one it has", async () => {
    const cli = await CommandLine.onFreshFolder();
    try {
      const { id, token } = await cli.runForJson<{ id: string; token: string }>(
        "service-account",
        "create",
        "--name",
        "sync",
      );
      const rotated = await cli.run("service-account", "rotate", id, "--overlap-hours", "2");
      expect(rotated.stdout).to.match(new RegExp(`^amber_sa_${id}_\\w{43}\n$`));
      expect(rotated.stderr).to.match(/The one before works until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/);
      const { url } = await cli.serve();
      for (const given of [token, rotated.stdout.trim()])
        expect((await new ApiClient(url, given).get("/api/indexing/file-types")).status).to.equal(200);
      expect((await cli.run("service-account", "rotate", id, "--overlap-hours", "721")).code).to.equal(2);
    } finally {
      await cli.clear();
    }
  });
});
