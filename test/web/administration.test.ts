import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually } from "../support/pauses.js";
import { describeInBrowser, startBrowser, visit, type Visit, type Visitor } from "../support/chromium.js";
import { signIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const root = "root@example.org";
const payload = "<img src=x onerror=alert(1)>";
const many = 1_200;

describeInBrowser("the dashboard's screens of datasources, read models and events", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit | null = null;
  let cookie: string;

  before(async () => {
    service = await startServiceUnderTest();
    const { indexing } = service;
    const datasource = "wiki";
    await indexing.post("/api/indexing/datasources", { name: datasource, display_name: "The wiki" });
    for (const email of ["ada@example.org", "bob@example.org"])
      await indexing.post("/api/indexing/users", { datasource, user: { email, name: payload } });
    for (const name of ["crew", "staff"]) await indexing.post("/api/indexing/groups", { datasource, group: { name } });
    for (const membership of [
      { group_name: "crew", member_email: "ada@example.org" },
      { group_name: "staff", member_group_name: "crew" },
    ])
      await indexing.post("/api/indexing/memberships", { datasource, membership });
    const document = (id: string, title: string) => ({
      ...{ datasource, id, title, file_type: "page", body: { mime_type: "text/plain", text_content: "Text." } },
      permissions: { allowed_groups: ["staff"] },
    });
    await indexing.post("/api/indexing/documents", {
      documents: [
        document("a-first", `Plan ${payload}`),
        ...Array.from({ length: many }, (_, n) => document(`doc-${String(n).padStart(5, "0")}`, `Document ${n}`)),
      ],
    });
    await service.signedIn(root, "administrator", "auditor", "operator");
    cookie = (await signIn(service.operator, root)).cookie;
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(opened?.faults() ?? []).to.deep.equal([]);
    await opened?.context.close();
    opened = null;
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = async (path: string, visitor: Visitor = {}): Promise<Page> => {
    const [name = "", value = ""] = cookie.split("=");
    await service.served();
    opened = await visit(browser, service.url, path, visitor, (context) =>
      context.addCookies([{ name, value, url: service.url }]),
    );
    return opened.page;
  };
  const parametersOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

  it("create a datasource, and give it a part and a property", async () => {
    const page = await open("/datasources");
    await page.getByRole("link", { name: "The wiki" }).waitFor();
    await page.getByRole("button", { name: "New datasource" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Not a slug");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Name", { exact: true }).fill("tickets");
    await dialog.getByLabel("Display name").fill("Tickets");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Tickets" }).waitFor();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Name of the new sub").fill("Hardware");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("main").getByText("hardware", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add a property" }).click();
    await page.getByLabel("Name of the property").fill("owner");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: false }).waitFor();
    type Datasource = { subs: { key: string }[]; object_definitions: object[] };
    // The client has no token of what the page wrote.
    const { body } = await eventually(
      () => service.indexing.get<Datasource>("/api/indexing/datasources/tickets"),
      ({ body: { object_definitions: objects } }) => objects.length > 0,
    );
    expect(body.subs.map(({ key }) => key)).to.deep.equal(["hardware"]);
    expect(JSON.stringify(body.object_definitions)).to.contain('"owner"');
  });

  it("show people, and say what stops being visible before one is removed", async () => {
    const page = await open("/datasources/wiki");
    const list = page.getByRole("group", { name: "Users" });
    await list.getByRole("link", { name: "ada@example.org" }).waitFor();
    // What came from elsewhere is text.
    expect(await list.getByText(payload).count()).to.equal(2);
    await page.getByLabel("E-mail begins with").fill("b");
    await list.getByRole("link", { name: "ada@example.org" }).waitFor({ state: "detached" });
    expect(parametersOf(page).get("prefix")).to.equal("b");
    await page.getByLabel("E-mail begins with").fill("ada");
    await page.getByRole("button", { name: "Remove: ada@example.org" }).click();
    await page.getByText(/In 1,201 cases somebody no longer sees a document/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  it("show the nesting of groups both ways, and take a member out", async () => {
    const page = await open("/datasources/wiki?tab=groups&group=crew");
    const dialog = page.getByRole("dialog", { name: "crew" });
    await dialog.getByRole("group", { name: "Is in these groups" }).getByRole("button", { name: "staff" }).waitFor();
    await dialog.getByRole("group", { name: "Members" }).getByText("ada@example.org").waitFor();
    await dialog.getByLabel("E-mail of a registered user").fill("bob@example.org");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByRole("button", { name: "Take out: bob@example.org" }).click();
    await page.getByRole("button", { name: "Take out", exact: true }).last().click();
    const members = dialog.getByRole("group", { name: "Members" });
    await members.getByText("bob@example.org").waitFor({ state: "detached" });
    await members.getByText("ada@example.org").waitFor();
    await page.goto("/datasources/wiki?tab=memberships&person=ada%40example.org");
    await page
      .getByRole("group", { name: /Groups of/ })
      .getByRole("link", { name: "crew" })
      .waitFor();
  });

  it("list any number of documents, and tell how far each has come", async () => {
    const page = await open("/datasources/wiki?tab=documents");
    const list = page.getByRole("group", { name: "Documents" });
    await list.getByText(`Plan ${payload}`).waitFor();
    // Only what is seen is in the document.
    expect(await list.getByRole("listitem").count()).to.be.lessThan(60);
    const last = list.getByRole("button", { name: `Document ${many - 1}`, exact: true });
    while (!(await last.isVisible())) await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await last.click();
    const dialog = page.getByRole("dialog", { name: `Document ${many - 1}` });
    await dialog.getByText("searchable").or(dialog.getByText("queued")).waitFor();
    await dialog.getByText("staff").waitFor();
    expect(parametersOf(page).get("document")).to.equal(`doc-0${many - 1}`);
  });

  it("follow read models live, and rebuild one with its report", async () => {
    const page = await open("/read-models");
    await page.getByRole("row", { name: /catalogue/ }).waitFor();
    await page.getByRole("link", { name: "catalogue" }).click();
    await page.locator(".graph canvas").waitFor();
    await page.getByText(/0 seconds behind now/).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await page.getByRole("main").getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("main").getByText("running").waitFor();
    await page.getByRole("button", { name: "Rebuild" }).click();
    await page.getByRole("button", { name: "Begin to build" }).click();
    await page.getByRole("main").getByText("Version 1").waitFor();
    await page.getByRole("button", { name: "Go back" }).waitFor();
  });

  it("look through events, by filters of the address, to one event and where it leads", async () => {
    const page = await open("/events");
    const list = page.getByRole("group", { name: "What has happened" });
    await list.getByRole("button").first().waitFor();
    await page.getByLabel("Type").selectOption("MembershipAdded");
    await page.getByLabel("Person").fill("ada@example.org");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("1 shown.").waitFor();
    expect([parametersOf(page).get("type"), parametersOf(page).get("person")]).to.deep.equal([
      "MembershipAdded",
      "ada@example.org",
    ]);
    await list.getByRole("button", { name: "MembershipAdded" }).click();
    const dialog = page.getByRole("dialog", { name: "MembershipAdded" });
    await dialog.getByText('"ada@example.org"').waitFor();
    const explorer = await dialog.getByRole("link", { name: /at this moment/ }).getAttribute("href");
    expect(explorer).to.match(/^\/access\?person=ada%40example\.org&at=\d+$/);
    await dialog.getByRole("link", { name: "What the same request did" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/Of one request/).waitFor();
    await list.getByRole("button", { name: "MembershipAdded" }).waitFor();
  });

  it("say where nothing is to be found, and what to do", async () => {
    const page = await open("/events?person=nobody%40example.org");
    await page.getByText("Nothing that has happened fits.").waitFor();
    await page.goto("/datasources/nowhere");
    await page
      .getByRole("alert")
      .getByText(/There is no datasource named/)
      .waitFor();
  });
});
