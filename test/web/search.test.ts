import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { barriersIn } from "../support/axe.js";
import { describeInBrowser, reloadAndDrawLate, startBrowser, type Visit, type Visitor } from "../support/chromium.js";
import { visitAs, type Person } from "../support/dashboardPerson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const ada: Person = { email: "ada@example.org" };
const auditor: Person = { email: "audit@example.org", roles: ["auditor"] };
const payload = "<img src=x onerror=alert(1)><script>alert(2)</script>";

describeInBrowser("the dashboard's search", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit | null = null;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    for (const name of ["wiki", "tickets"]) {
      await write("datasources", { name });
      for (const email of [ada.email, "grace@example.org"]) await write("users", { datasource: name, user: { email } });
    }
    await write("documents", {
      documents: [
        ...Array.from({ length: 23 }, (_, n) => document(`d${n}`, n % 2 === 0 ? "wiki" : "tickets")),
        document("secret", "wiki", { permissions: { allowed_users: [{ email: "grace@example.org" }] } }),
        {
          ...document("book", "wiki"),
          body: { mime_type: "text/plain", text_content: `${"word ".repeat(40_000)}zanzibar${" word".repeat(40_000)}` },
        },
        {
          ...document("payload", "wiki", { author: payload, title: `Payload ${payload}` }),
          body: { mime_type: "text/plain", text_content: `anchor ${payload} & "quotes"` },
          path_preview: "javascript:alert(3)",
        },
      ],
    });
    browser = await startBrowser();
  });
  afterEach(async () => {
    await opened?.context.close();
    opened = null;
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const open = async (path: string, person: Person = ada, visitor: Visitor = {}): Promise<Page> => {
    opened = await visitAs(browser, service, person, path, visitor);
    return opened.page;
  };
  const titles = (page: Page) => page.getByRole("main").getByRole("listitem").getByRole("heading");
  const parametersOf = (page: Page) => new URL(page.url()).searchParams;

  it("finds what one may see, from the keyboard alone", async () => {
    const page = await open("/search");
    await page.getByRole("heading", { name: "Search", exact: true }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("harbour");
    await page.keyboard.press("Enter");
    await page.getByText("23 results").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const second = await titles(page).nth(1).textContent();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: second ?? "" });
    await dialog.locator("mark").first().waitFor();
    expect(await dialog.locator("mark").first().textContent()).to.equal("harbour");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(opened?.faults()).to.deep.equal([]);
  });

  it("keeps query, filters and page in the address, and goes back", async () => {
    const page = await open("/search?query=harbour");
    await page.getByRole("checkbox", { name: "tickets 11" }).check();
    await page.getByText("11 results").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    expect(Object.fromEntries(parametersOf(page))).to.deep.equal({
      query: "harbour",
      data_source: "tickets",
      page: "2",
    });
    expect(await page.getByRole("checkbox", { name: "wiki 12" }).isChecked()).to.equal(false);
    await page.goBack();
    await page.getByText("Page 1 of 2").waitFor();
    await page.goBack();
    await page.getByText("23 results").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).to.equal("harbour");
  });

  it("completes what is typed, from the keyboard, and sorts by time", async () => {
    const page = await open("/search");
    const box = page.getByRole("searchbox");
    await box.pressSequentially("docu");
    await page.getByRole("option", { name: "Document d22" }).waitFor();
    expect(await page.getByRole("option", { name: "Document secret" }).count()).to.equal(0);
    expect(await barriersIn(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    await box.fill("document d22");
    await page.getByRole("option", { name: "Document book" }).waitFor({ state: "detached" });
    await page.getByRole("option", { name: "Document d22" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await titles(page).first().waitFor();
    expect(await box.inputValue()).to.equal("Document d22");
    expect(await page.getByRole("listbox").isVisible()).to.equal(false);
    await page.getByLabel("Sort by").selectOption("Last modified");
    await page.waitForURL(/sort=last_modified/);
    expect(opened?.faults()).to.deep.equal([]);
  });

  it("keeps what is typed before the screen is drawn", async () => {
    const page = await open("/search");
    await reloadAndDrawLate(page);
    await page.getByRole("searchbox").waitFor();
    await page.keyboard.type("docu");
    await page.getByRole("option", { name: "Document d22" }).waitFor();
    expect(await page.getByRole("searchbox").inputValue()).to.equal("docu");
  });

  it("says which word it took for which, and takes it as it is where that is asked", async () => {
    const page = await open("/search?query=harbuor, boat&data_source=wiki&sort=last_modified&page=2");
    await page.getByText("Nothing holds “harbuor”. These are results for “harbour”.").waitFor();
    await page.getByRole("link", { name: "Search for exactly “harbuor” instead" }).click();
    await page.getByText("Nothing found for").waitFor();
    expect(Object.fromEntries(parametersOf(page))).to.deep.equal({
      query: '"harbuor", boat',
      data_source: "wiki",
      sort: "last_modified",
    });
    expect(await page.getByRole("searchbox").inputValue()).to.equal('"harbuor", boat');
    expect(await page.getByText("These are results for").count()).to.equal(0);
  });

  it("says the same in German", async () => {
    const page = await open("/search?query=harbuor", ada, { locale: "de-DE" });
    await page.getByText("Nichts enthält „harbuor“. Das sind Ergebnisse für „harbour“.").waitFor();
    await page.getByRole("link", { name: "Stattdessen genau nach „harbuor“ suchen" }).waitFor();
  });

  it("insists on a word wherever it stands in the query", async () => {
    for (const [query, insisting] of [
      ["boat Harbuor -payload harbuor", 'boat "Harbuor" -payload "harbuor"'],
      ["boat_harbuor", 'boat_"harbuor"'],
      ["boatHarbuor", '"boatHarbuor"'],
      ['"harbuor', '"harbuor"'],
      ["-harbuor", '"harbuor"'],
    ] as const) {
      const page = await open(`/search?query=${encodeURIComponent(query)}`);
      const link = page.getByRole("link", { name: /^Search for exactly “harbuor” instead$/i });
      await link.waitFor();
      const { searchParams } = new URL((await link.getAttribute("href")) ?? "", page.url());
      expect(searchParams.get("query"), query).to.equal(insisting);
      await opened?.context.close();
    }
  });

  it("says what the query excludes, also where it finds nothing, and searches for it as well where that is asked", async () => {
    const page = await open(`/search?query=${encodeURIComponent('anchor -payload, -"no such"')}`);
    await page.getByText("Nothing found for").waitFor();
    await page.getByText("Without what holds “payload,”, “no such”, because of the minus.").waitFor();
    await page.getByRole("link", { name: "Search for “payload,”, “no such” as well" }).click();
    await page.getByText("because of the minus").waitFor({ state: "detached" });
    expect(parametersOf(page).get("query")).to.equal('anchor payload, "no such"');
  });

  it("says how many words of a long query were not looked for", async () => {
    const words = Array.from({ length: 70 }, (_, n) => `harbour${String.fromCodePoint(97 + (n % 26))}${n}`).join(" ");
    const page = await open(`/search?query=${words}`);
    await page.getByText(/^\d+ words of the query were not looked for: the others tell more\.$/).waitFor();
  });

  it("shows what was typed and what it was taken for as text", async () => {
    const page = await open(`/search?query=${encodeURIComponent(`harbuor<img src=x onerror=alert(1)>`)}`);
    await page.getByText("Nothing holds “harbuor”.").waitFor();
    expect(await page.locator("main img").count()).to.equal(0);
    expect(opened?.faults()).to.deep.equal([]);
  });

  it("says which filter to drop where nothing is found, and what that brings", async () => {
    const page = await open("/search?query=harbour&file_type=pdf");
    await page.getByRole("button", { name: "without PDF (23 results)" }).click();
    await page.getByText("23 results").waitFor();
    expect(parametersOf(page).has("file_type")).to.equal(false);
  });

  it("shows what was indexed as text, and makes no link of an address that is none", async () => {
    const page = await open("/search?query=anchor&document=wiki__payload");
    const dialog = page.getByRole("dialog", { name: `Payload ${payload}` });
    await dialog.getByText(`${payload} & "quotes"`).waitFor();
    await dialog.getByRole("link", { name: "Open as a page of its own" }).click();
    await page.getByRole("heading", { name: `Payload ${payload}`, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).to.equal("/documents/wiki__payload");
    expect(await page.locator("main img, main script, a[href^='javascript']").count()).to.equal(0);
    expect(opened?.faults()).to.deep.equal([]);
  });

  it("begins a long text where it matches", async () => {
    const page = await open("/documents/wiki__book?query=zanzibar");
    await page.getByText("1 match in this part").waitFor();
    expect(await page.locator("mark").textContent()).to.equal("zanzibar");
    await page.getByRole("button", { name: "Show what comes before" }).click();
    await page.getByText("100,000 of 400,008 characters are shown.").waitFor();
  });

  it("says what to do where a document cannot be seen", async () => {
    const page = await open("/documents/wiki__secret");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
  });

  it("lets an auditor search as somebody else, and says that it is recorded", async () => {
    const page = await open("/search?query=harbour", auditor);
    await page.getByText("0 results").waitFor();
    await page.getByText("Search as someone else").click();
    await page.getByLabel("Search as", { exact: true }).fill("grace@example.org");
    await page.getByRole("button", { name: "Search this way" }).click();
    await page.getByText("24 results").waitFor();
    await page.getByText("You search as grace@example.org.").waitFor();
    await page.getByText(/is recorded with your name/).waitFor();
    await page.getByRole("button", { name: "Search as yourself again" }).click();
    await page.getByText("0 results").waitFor();
    expect(await (await open("/search?query=harbour")).getByText("Search as someone else").count()).to.equal(0);
  });
});

const document = (id: string, datasource: string, more: object = {}) => ({
  datasource,
  id,
  title: `Document ${id}`,
  file_type: "page",
  last_modified: "2024-05-01T09:30:00Z",
  body: { mime_type: "text/plain", text_content: `A boat lies in the harbour. It is number ${id}.` },
  ...more,
});
