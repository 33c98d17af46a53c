import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { ApiClient } from "../support/apiClient.js";
import { describeInBrowser, startBrowser, visit, type Visit, type Visitor } from "../support/chromium.js";
import { visitAs, type Person } from "../support/dashboardPerson.js";
import { passwordOfTests, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const administrator: Person = { email: "ada@example.org", roles: ["administrator", "developer"] };
const reader: Person = { email: "grace@example.org" };

describeInBrowser("accounts and credentials on the dashboard", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit[] = [];

  before(async () => {
    service = await startServiceUnderTest();
    expect((await service.indexing.post("/api/indexing/datasources", { name: "wiki" })).status).to.equal(200);
    browser = await startBrowser();
  });

  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults());
    for (const { context } of opened) await context.close();
    opened = [];
    expect(faults).to.deep.equal([]);
  });

  after(async () => {
    await browser.close();
    await service.stop();
  });

  const open = async (person: Person, path: string, visitor: Visitor = {}): Promise<Page> => {
    const each = await visitAs(browser, service, person, path, visitor);
    opened.push(each);
    return each.page;
  };
  const openUnsigned = async (path: string): Promise<Page> => {
    const each = await visit(browser, service.url, path);
    opened.push(each);
    return each.page;
  };
  /** Once they are there: all of them are drawn at once. */
  const links = async (page: Page): Promise<string[]> => {
    const drawn = page.getByRole("navigation").getByRole("link");
    await drawn.first().waitFor();
    return drawn.allTextContents();
  };
  const signIn = async (page: Page, email: string, password: string): Promise<void> => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const account = async (email: string, roles: readonly string[] = []): Promise<void> => {
    const made = await service.operator.post("/api/admin/accounts", { email, roles, password: passwordOfTests });
    expect(made.status).to.equal(200);
  };

  it("signs people in at the address that they asked for, and out", async () => {
    await account("lin@example.org", ["operator"]);
    const page = await openUnsigned("/events");
    await signIn(page, "lin@example.org", "not the right password");
    expect(await page.getByRole("alert").textContent()).to.match(/e-?mail|password/i);
    await signIn(page, "LIN@example.org", passwordOfTests);
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
    expect(await links(page)).to.deep.equal(["Search", "Ask", "API keys", "Read models", "Events"]);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  });

  it("shows each kind of person the screens that are theirs", async () => {
    expect(await links(await open(reader, "/"))).to.deep.equal(["Search", "Ask", "API keys"]);
    expect(await links(await open(administrator, "/"))).to.deep.equal([
      "Search",
      "Ask",
      "Service accounts",
      "API keys",
      "Datasources",
    ]);
    const auditor = await open({ email: "aud@example.org", roles: ["auditor"] }, "/");
    expect(await links(auditor)).to.deep.equal(["Search", "Ask", "Access", "API keys"]);
    const page = await open(reader, "/service-accounts");
    await page.getByRole("heading", { name: "No such page" }).waitFor();
  });

  it("shows a service account's token once, and ends it where it says what stops working", async () => {
    const page = await open(administrator, "/service-accounts");
    await page.getByRole("button", { name: "New service account" }).click();
    await page.getByLabel("Name").fill("wiki <b>sync</b>");
    await page.getByRole("radio", { name: "Only these:" }).check();
    await page.getByRole("checkbox", { name: /wiki/ }).check();
    await page.getByRole("button", { name: "Create" }).click();
    const token = (await page.locator("[data-secret]").textContent()) ?? "";
    expect(token).to.match(/^amber_sa_\w+$/);
    const program = new ApiClient(service.url, token);
    expect((await program.get("/api/indexing/datasources")).status).to.equal(200);
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.to.include(token);
    const row = page.getByRole("row", { name: /wiki <b>sync<\/b>/ });
    expect(await row.textContent()).to.include(administrator.email);
    await row.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const second = (await page.locator("[data-secret]").textContent()) ?? "";
    expect(second).not.to.equal(token);
    for (const each of [token, second])
      expect((await new ApiClient(service.url, each).get("/api/indexing/datasources")).status).to.equal(200);
    await page.getByRole("button", { name: "Done" }).click();
    await row.getByRole("button", { name: "Revoke" }).click();
    expect(await page.getByRole("dialog").textContent()).to.include("push nothing more to wiki");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText("Revoked").waitFor();
    expect((await program.get("/api/indexing/datasources")).status).to.equal(401);
  });

  it("tells who lacks a role which one it is", async () => {
    const page = await open({ email: "half@example.org", roles: ["administrator"] }, "/service-accounts");
    expect(await page.getByRole("button", { name: "New service account" }).isDisabled()).to.equal(true);
    expect(await page.getByRole("main").textContent()).to.include("Your account lacks: Developer.");
  });

  it("gives everybody keys of their own, and shows administrators all", async () => {
    const page = await open(reader, "/api-keys");
    await page.getByRole("button", { name: "New API key" }).click();
    await page.getByRole("button", { name: "Create" }).click();
    const key = (await page.locator("[data-secret]").textContent()) ?? "";
    const program = new ApiClient(service.url, key);
    expect((await program.get("/api/beta/search?query=anything")).status).to.equal(200);
    await page.getByRole("button", { name: "Done" }).click();
    const all = await open(administrator, "/api-keys?of=all");
    await all
      .getByRole("row", { name: new RegExp(reader.email) })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked").waitFor();
    expect((await program.get("/api/beta/search?query=anything")).status).to.equal(401);
  });

  it("makes an account, whose person chooses a password with a link, and signs a disabled one out", async () => {
    const page = await open(administrator, "/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("E-mail").fill("new@example.org");
    await page.getByRole("checkbox", { name: /^Auditor/ }).check();
    await page.getByRole("button", { name: "Create" }).click();
    const link = new URL((await page.locator("[data-secret]").textContent()) ?? "");
    await page.getByRole("button", { name: "Done" }).click();
    const theirs = await openUnsigned(`${link.pathname}${link.search}${link.hash}`);
    await theirs.getByLabel("Password", { exact: true }).fill("passwordpassword");
    await theirs.getByRole("button", { name: "Sign in" }).click();
    await theirs.getByRole("alert").waitFor();
    await theirs.getByLabel("Password", { exact: true }).fill("lilac tram under the moon");
    await theirs.getByRole("button", { name: "Sign in" }).click();
    await theirs.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect(await links(theirs)).to.include("Access");
    const row = page.getByRole("row", { name: /new@example.org/ });
    await row.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await row.getByText("Disabled").waitFor();
    await theirs.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await theirs.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  });

  it("changes one's own password, which ends one's other sessions", async () => {
    const page = await open(reader, "/profile");
    const other = await open(reader, "/search");
    await page.getByLabel("Current password").fill("wrong, as it happens");
    await page.getByLabel("New password").fill("nine quiet harbours");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Current password").fill(passwordOfTests);
    await page.getByLabel("New password").fill("nine quiet harbours");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("The password is changed").waitFor();
    await other.getByRole("navigation").getByRole("link", { name: "API keys" }).click();
    await other.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  });

  for (const width of [360, 900])
    it(`keeps what can be done with each in sight at ${width} px`, async () => {
      await service.operator.post("/api/admin/service-accounts", { name: "wiki connector", datasources: null });
      const page = await open(administrator, "/", { width });
      for (const [path, act] of [
        ["/service-accounts", "Revoke"],
        ["/accounts", "Roles"],
      ] as const) {
        await page.goto(path);
        const button = page.getByRole("button", { name: act }).first();
        await button.waitFor();
        const { x = -1, width: own = 0 } = (await button.boundingBox()) ?? {};
        expect(x, path).to.be.at.least(0);
        expect(x + own, path).to.be.at.most(width);
      }
    });
});
