import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { barriersIn } from "../support/axe.js";
import { describeInBrowser, startBrowser, untilTrue, type Visit } from "../support/chromium.js";
import { visitAs } from "../support/dashboardPerson.js";
import {
  calls,
  fails,
  falls,
  says,
  seenIn,
  startScriptedModel,
  type ScriptedModel,
} from "../support/models/scriptedModel.js";
import { passwordOfTests, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const ada = { email: "ada@example.org" };
const image = "![image](https://elsewhere.example/i.png)";
const written = `**Bold** words [1].\n\n> Quoted\n> words.\n\n- one\n- [link](https://elsewhere.example/)\n\n\`\`\`\ncode\n\`\`\`\n\n${image} <img src=x onerror=alert(1)>`;

describeInBrowser("the dashboard's conversations", () => {
  let model: ScriptedModel;
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit;
  let page: Page;

  before(async () => {
    model = await startScriptedModel();
    service = await startServiceUnderTest({ LLM_URL: model.url, LLM_DEFAULT_MODEL: "small" });
    const write = async (path: string, body: object): Promise<void> => {
      expect((await service.indexing.post(`/api/indexing/${path}`, body)).status).to.equal(200);
    };
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: ada });
    await write("documents", {
      documents: {
        datasource: "wiki",
        id: "leave",
        title: "Days of leave",
        file_type: "page",
        body: { mime_type: "text/plain", text_content: "Everyone has thirty days of leave a year." },
      },
    });
    const reader = await service.person(ada.email);
    expect((await reader.get<{ total: number }>("/api/beta/search?query=leave")).body.total).to.equal(1);
    browser = await startBrowser();
  });
  beforeEach(async () => {
    model.take();
    opened = await visitAs(browser, service, ada, "/ask");
    page = opened.page;
  });
  afterEach(async () => {
    await opened.context.close();
    await model.idle();
  });
  after(async () => {
    await browser.close();
    await service.stop();
    await model.stop();
  });

  const ask = async (question: string): Promise<void> => {
    await page.getByRole("textbox").fill(question);
    await page.keyboard.press("Enter");
  };
  const answer = () => page.getByRole("article", { name: "Answer" }).last();

  it("shows an answer as it was written, and makes links of its sources alone", async () => {
    model.plays(calls(["internalSearch", { query: "leave" }]), says(...(written.match(/.{1,7}/gsu) ?? [])));
    await ask("How many days of leave?");
    const source = page.getByRole("group", { name: "Sources" }).getByRole("link");
    await source.waitFor();
    expect(await source.getAttribute("href")).to.equal("/documents/wiki__leave");
    expect(await answer().locator("strong").textContent()).to.equal("Bold");
    expect(await answer().locator("blockquote").textContent()).to.equal("Quoted\nwords.");
    expect(await answer().getByRole("listitem").count()).to.equal(2);
    expect(await answer().locator("pre").textContent()).to.equal("code");
    await answer().getByText("[link](https://elsewhere.example/)").waitFor();
    await answer().getByText(image).waitFor();
    expect(await answer().locator("a, img").count()).to.equal(0);
    await answer().getByRole("button", { name: "Source 1" }).click();
    await untilTrue(page, "document.activeElement?.id.startsWith('source-')");
    expect(opened.faults()).to.deep.equal([]);
  });

  it("goes on with what was said, also from another screen, until it begins anew", async () => {
    model.plays(says("The first answer."), says("The second answer."));
    await ask("First?");
    await answer().getByText("The first answer.").waitFor();
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("searchbox").waitFor();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await ask("Second?");
    await answer().getByText("The second answer.").waitFor();
    const [, second] = model.take();
    expect(second && seenIn(second)).to.include("First?\nThe first answer.\nSecond?");
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.getByText("Ask about what you may see").waitFor();
    expect(await page.getByRole("article").count()).to.equal(0);
  });

  it("shows nothing of it to whoever signs in after", async () => {
    model.plays(says("For Ada alone."));
    await ask("A secret?");
    await answer().getByText("For Ada alone.").waitFor();
    await page.getByRole("button", { name: "Account of ada@example.org" }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByLabel("E-mail").fill(ada.email);
    await page.getByLabel("Password").fill(passwordOfTests);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Ask about what you may see").waitFor();
    expect(await page.getByRole("article").count()).to.equal(0);
  });

  it("stops when it is told to, and the model stops too", async () => {
    model.plays(falls("The beginning"));
    await ask("Something long?");
    await answer().getByText("The beginning").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await answer()
      .getByText(/Stopped/)
      .waitFor();
    await model.idle();
  });

  it("says why there is no answer, and asks again", async () => {
    model.plays(fails(500, { error: { message: "no" } }), says("Now it works."));
    await ask("Something?");
    const alert = answer().getByRole("alert");
    await alert.getByRole("button", { name: "Try again" }).click();
    await answer().getByText("Now it works.").waitFor();
    expect(await alert.count()).to.equal(0);
  });

  it("offers the model the tools that are chosen, and no others", async () => {
    model.plays(says("With documents."), says("With nothing."), says("With the web."));
    await ask("One?");
    await answer().getByText("With documents.").waitFor();
    await page.getByRole("checkbox", { name: "Search documents" }).uncheck();
    await ask("Two?");
    await answer().getByText("With nothing.").waitFor();
    await page.getByRole("checkbox", { name: "Search the web" }).check();
    await page.getByLabel("Web search").selectOption("context");
    await ask("Three?");
    await answer().getByText("With the web.").waitFor();
    const closed = page.getByText("A model does not search the web any more");
    expect(await closed.count()).to.equal(0);
    await page.getByRole("checkbox", { name: "Search documents" }).check();
    await closed.waitFor();
    await page.getByRole("checkbox", { name: "Search documents" }).uncheck();
    const offered = model.take().map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name));
    expect(offered).to.deep.equal([["internalSearch"], [], ["webSearch"]]);
  });

  it("says that nothing was searched where the model takes no tools", async () => {
    model.plays(fails(400, { error: { message: "small does not support tools" } }), says("I cannot say."));
    await ask("How many days of leave?");
    await answer().getByRole("status").getByText("takes no tools").waitFor();
    expect(await answer().textContent()).to.contain("I cannot say.");
  });

  it("takes files, says which cannot be read, and gives the others to the model", async () => {
    const file = (name: string, mimeType: string, text: string) => ({ name, mimeType, buffer: Buffer.from(text) });
    await page
      .locator("input[type=file]")
      .setInputFiles([
        file("notes.txt", "text/plain", "The notes say seventeen."),
        file("broken.pdf", "application/pdf", "%PDF-no"),
      ]);
    const attached = page.getByRole("list", { name: "Attached files" });
    await attached.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Remove broken.pdf" }).click();
    await page.getByRole("button", { name: "Ask", exact: true }).and(page.locator(":enabled")).waitFor();
    model.plays(says("Seventeen."));
    await ask("What do the notes say?");
    await answer().getByText("Seventeen.").waitFor();
    const [asked] = model.take();
    expect(asked && seenIn(asked)).to.include("The notes say seventeen.");
  });

  for (const theme of ["light", "dark"] as const)
    it(`leaves nobody out, ${theme}`, async () => {
      for (const width of [360, 1_600]) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 800 });
        model.plays(calls(["internalSearch", { query: "leave" }]), says(written));
        await ask("How many days of leave?");
        await page.getByRole("group", { name: "Sources" }).last().waitFor();
        expect(await barriersIn(page)).to.deep.equal([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).to.be.at.most(width);
      }
    });
});
