import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { describeInBrowser, reloadAndDrawLate, startBrowser, type Visit, type Visitor } from "../support/chromium.js";
import { visitAs, type Person } from "../support/dashboardPerson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const eve: Person = { email: "eve@example.org", roles: ["auditor"] };
/** Names of groups hold no spaces. */
const payload = "<img/src=x/onerror=alert(1)><script>alert(2)</script>";
const [ada, bob, cleo] = ["ada@example.org", "bob@example.org", "cleo@example.org"] as const;
const plan = "handbook/plan.md";
const titleOfPlan = "Title of plan.md";

describeInBrowser("the permission explorer", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit | null = null;

  const write = async (method: "POST" | "DELETE", path: string, body?: object): Promise<void> => {
    const answer = await service.indexing.request(method, `/api/indexing/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };
  const group = (name: string) => write("POST", "groups", { datasource: "handbook", group: { name } });
  const join = (group_name: string, member: object) =>
    write("POST", "memberships", { datasource: "handbook", membership: { group_name, ...member } });
  const register = (email: string) => write("POST", "users", { datasource: "handbook", user: { email } });
  const index = (id: string, permissions: object, title = `Title of ${id}`) =>
    write("POST", "documents", {
      documents: {
        ...{ datasource: "handbook", id, title, file_type: "page", permissions },
        body: { mime_type: "text/plain", text_content: "Text." },
      },
    });

  before(async () => {
    service = await startServiceUnderTest();
    await write("POST", "datasources", { name: "handbook" });
    for (const name of ["engineering", "databases", "sqlite-crew", "board", "visitors", payload]) await group(name);
    for (const email of [ada, bob, cleo]) await register(email);
    await join("engineering", { member_group_name: "databases" });
    await join("databases", { member_group_name: "sqlite-crew" });
    await join("sqlite-crew", { member_email: ada });
    await join("board", { member_email: ada });
    await join("databases", { member_email: bob });
    await join(payload, { member_email: cleo });
    await index("plan.md", { allowed_groups: ["engineering", "board"] });
    await index("strange.md", { allowed_groups: [payload] }, payload);
    await index("open.md", { allow_anonymous_access: true });
    browser = await startBrowser();
  });
  afterEach(async () => {
    const faults = opened?.faults() ?? [];
    await opened?.context.close();
    opened = null;
    expect(faults).to.deep.equal([]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const open = async (path: string, visitor: Visitor = {}): Promise<Page> => {
    opened = await visitAs(browser, service, eve, path, visitor);
    return opened.page;
  };
  const access = (parameters: Readonly<Record<string, string>>): string =>
    `/access?${new URLSearchParams(parameters).toString()}`;
  const place = (page: Page, name: string) => page.locator(`.picture [data-place="${name}"]`);
  const parametersOf = (page: Page) => new URL(page.url()).searchParams;

  it("answers whether, and draws every way, with who made each link", async () => {
    const page = await open("/access");
    await page.getByLabel("Document").fill(plan);
    await page.getByLabel("Document").press("Enter");
    await page.getByRole("heading", { name: `Who can see ${titleOfPlan}?` }).waitFor();
    await page.getByLabel("Person").fill(ada);
    await page.getByLabel("Person").press("Enter");
    await page.getByRole("heading", { name: `${ada} can see ${titleOfPlan}.` }).waitFor();
    expect([parametersOf(page).get("document"), parametersOf(page).get("person")]).to.deep.equal([plan, ada]);
    for (const name of ["engineering", "databases", "sqlite-crew", "board"])
      await place(page, `group handbook/${name}`).waitFor();
    const link = page.getByRole("button", { name: /The group databases contains the group sqlite-crew/ });
    await link.focus();
    await link.press("Enter");
    const detail = page.locator(".detail");
    await detail.getByText("test (service account)").waitFor();
    const list = page.locator(".twin");
    await list.getByText("sqlite-crew", { exact: true }).waitFor();
    expect(await list.getByText("test (service account)").count()).to.be.greaterThan(3);
  });

  it("offers documents and people by parts of their names", async () => {
    const page = await open("/access");
    await page.getByLabel("Document").pressSequentially("plan");
    await page.getByRole("option", { name: /Title of plan\.md/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Who can see ${titleOfPlan}?` }).waitFor();
    expect(await page.getByLabel("Document").inputValue()).to.equal(plan);
  });

  it("keeps what is typed before the screen is drawn", async () => {
    const page = await open("/access");
    await reloadAndDrawLate(page);
    const field = page.getByRole("combobox", { name: "Document" });
    await field.pressSequentially("of plan");
    await page.getByRole("option", { name: titleOfPlan }).waitFor();
    expect(await field.inputValue()).to.equal("of plan");
  });

  it("says for a no what is missing, and tries the smallest change without making it", async () => {
    const page = await open(access({ document: plan, person: cleo }));
    await page.getByRole("heading", { name: `${cleo} cannot see ${titleOfPlan}.` }).waitFor();
    await page.locator(".picture .line.missing").waitFor();
    await page.getByText(`Add ${cleo} to the group board on handbook.`).first().waitFor();
    await page.getByRole("link", { name: "See what else that would change" }).click();
    await page.getByText("1 would be gained").waitFor();
    expect(await page.getByRole("row").filter({ hasText: cleo }).textContent()).to.include(plan);
    const { body } = await service.operator.get<{ has_access: boolean }>(
      `/api/audit/access?document=${plan}&user=${cleo}`,
    );
    expect(body.has_access).to.equal(false);
  });

  it("goes back over the history, where each stop says what changed", async () => {
    const page = await open(access({ document: plan, person: bob }));
    await page.getByRole("heading", { name: `${bob} can see ${titleOfPlan}.` }).waitFor();
    const slider = page.getByRole("slider", { name: "Moment in the history" });
    await slider.focus();
    await slider.press("Home");
    await page.getByRole("heading", { name: `${bob} could not see ${titleOfPlan}.` }).waitFor();
    expect(parametersOf(page).get("at")).to.match(/^\d+$/);
    await slider.press("End");
    await page.getByRole("heading", { name: `${bob} can see ${titleOfPlan}.` }).waitFor();
    await slider.press("ArrowLeft");
    await page.getByText(`${plan} was granted to the group engineering`).waitFor();
    await page.getByRole("heading", { name: `${bob} could see ${titleOfPlan}.` }).waitFor();
  });

  it("shows two people side by side, and what one link alone made visible", async () => {
    const page = await open(access({ document: plan, person: ada, other: cleo }));
    await page.getByRole("heading", { name: `${ada} can see ${titleOfPlan}.` }).waitFor();
    await page.getByRole("heading", { name: `${cleo} cannot see ${titleOfPlan}.` }).waitFor();
    await page
      .getByRole("button", { name: /The group databases contains the group sqlite-crew/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "What this alone made visible" }).click();
    const dialog = page.getByRole("dialog", { name: "What this alone made visible" });
    await dialog.getByText("Nothing was visible by this alone.").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("exposure"));
    expect(await dialog.count()).to.equal(0);
    await page.goto(access({ document: plan, person: bob, exposure: `group:engineering ${plan}` }));
    await dialog.getByRole("row").filter({ hasText: bob }).waitFor();
  });

  it("tells a person's documents, and puts many behind their number until they are wanted", async () => {
    const many = Array.from({ length: 30 }, (_, n) => `p${String(n).padStart(2, "0")}@example.org`);
    await group("crowd");
    for (const email of many) {
      await register(email);
      await join("crowd", { member_email: email });
    }
    await index("crowd.md", { allowed_groups: ["crowd"] });
    const page = await open(access({ document: "handbook/crowd.md" }));
    const fan = page.getByRole("button", { name: "Open: 30 people" });
    expect(await place(page, `person ${many[7]}`).count()).to.equal(0);
    await fan.focus();
    await fan.press("Enter");
    await place(page, `person ${many[7]}`).click();
    await page.getByRole("link", { name: "What can they see?" }).click();
    await page.getByRole("heading", { name: `What can ${many[7]} see?` }).waitFor();
    await page.getByRole("cell", { name: "handbook/crowd.md" }).waitFor();
  });

  it("draws 500 chains as counts that open", async () => {
    const names = Array.from({ length: 250 }, (_, n) => `chain-${n}`);
    await register("many@example.org");
    // One client has at most half of what the service takes at a time: each name's requests follow each other.
    const chain = async (name: string): Promise<void> => {
      await group(name);
      await group(`${name}-inner`);
      await join(name, { member_group_name: `${name}-inner` });
      await join(name, { member_email: "many@example.org" });
      await join(`${name}-inner`, { member_email: "many@example.org" });
    };
    await Promise.all(names.map(chain));
    await index("many.md", { allowed_groups: names });
    const page = await open(access({ document: "handbook/open.md", person: ada }));
    await page.locator(".picture svg").waitFor();
    await page.getByLabel("Document").fill("handbook/many.md");
    await page.getByLabel("Person").fill("many@example.org");
    await page.getByRole("button", { name: "Show access" }).click();
    await page.getByRole("button", { name: "Open: 250 groups" }).first().click();
    await place(page, "group handbook/chain-7").waitFor();
  });

  it("shows what strangers named as text", async () => {
    const page = await open(access({ document: "handbook/strange.md", person: cleo }));
    await page.locator(".picture text").getByText("<img/src=x").waitFor();
    await page.locator(".twin").getByText(payload).waitFor();
    await page.getByLabel("Document").fill("onerror");
    await page.getByRole("option", { name: payload }).waitFor();
    expect(await page.locator("main img, main script").count()).to.equal(0);
  });
});
