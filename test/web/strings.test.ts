import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { describeInBrowser, startBrowser, type Visit } from "../support/chromium.js";
import { visitAs } from "../support/dashboardPerson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const root = "root@example.org";
/** As long as none of it becomes markup, the page never asks for this address, and nobody calls `hit`. */
const address = "/never-asked-for";
const tags = (gap: string): string =>
  `"><svg${gap}onload=hit()><img${gap}src=${address}${gap}onerror=hit()><script>hit()</script>`;

/** What strangers call things; each tells which it is. Names of groups hold no spaces. */
const called = (what: string, gap = " "): string => `${what}${tags(gap)}`;
const names = {
  title: called("title"),
  body: called("body"),
  author: called("author"),
  path: called("path"),
  property: called("property"),
  label: called("label"),
  group: called("group", "/"),
  person: called("person"),
  agent: called("agent"),
  display: called("display"),
  sub: called("sub"),
  serviceAccount: called("service-account"),
  file: `file"><img src=x onerror=hit()><svg onload=hit()>.txt`,
} as const;
type Named = keyof typeof names;

interface Screen {
  readonly path: string;
  /** What of it has to be there, as text. */
  readonly shows: readonly Named[];
  readonly act?: (page: Page) => Promise<unknown>;
}

/** As it is, or as JSON has it. */
function asShown(text: string): RegExp {
  const literal = (each: string): string => each.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`${literal(text)}|${literal(JSON.stringify(text).slice(1, -1))}`);
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const screens: Readonly<Record<string, Screen>> = {
  "search results": { path: "/search?query=anchor", shows: ["title", "author", "body", "path"] },
  "a document beside them": {
    path: "/search?query=anchor&document=wiki__strange",
    shows: ["title", "author", "body", "path", "property"],
  },
  "a document's page": { path: "/documents/wiki__strange", shows: ["title", "author", "body", "path", "property"] },
  "who answers": { path: "/ask", shows: ["agent"] },
  "an answer and its sources": {
    path: "/ask",
    shows: ["title"],
    act: async (page) => {
      await page.getByRole("textbox").fill("anchor harbour");
      await page.keyboard.press("Enter");
      await page.getByRole("group", { name: "Sources" }).waitFor();
    },
  },
  "an attached file": {
    path: "/ask",
    shows: ["file"],
    act: (page) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name: names.file, mimeType: "text/plain", buffer: Buffer.from("Seventeen.") }),
  },
  "why somebody sees a document": {
    path: `/access?document=wiki/strange&person=${root}`,
    shows: ["title", "group"],
  },
  "who sees a document": { path: "/access?document=wiki/strange", shows: ["title", "group"] },
  "what somebody sees": {
    path: `/access?person=${root}`,
    shows: ["group"],
  },
  "what is offered while typing": {
    path: "/access",
    shows: ["title"],
    act: (page) => page.getByLabel("Document", { exact: true }).pressSequentially("title"),
  },
  "service accounts": { path: "/service-accounts", shows: ["serviceAccount"] },
  "what stops with a service account": {
    path: "/service-accounts",
    shows: ["serviceAccount"],
    act: press("Revoke"),
  },
  datasources: { path: "/datasources", shows: ["display"] },
  "people of a datasource": { path: "/datasources/wiki", shows: ["display", "person"] },
  "groups of a datasource": { path: "/datasources/wiki?tab=groups", shows: ["group"] },
  "a group": {
    path: `/datasources/wiki?tab=groups&group=${encodeURIComponent(names.group)}`,
    shows: ["group"],
  },
  "groups of a person": { path: `/datasources/wiki?tab=memberships&person=${root}`, shows: ["group"] },
  "documents of a datasource": { path: "/datasources/wiki?tab=documents", shows: ["title"] },
  "how far a document has come": {
    path: "/datasources/wiki?tab=documents&document=strange",
    shows: ["title", "group"],
  },
  "settings of a datasource": { path: "/datasources/wiki?tab=settings", shows: ["sub"] },
  "a group's event": {
    path: "/events?type=GroupCreated",
    shows: ["group"],
    act: press("GroupCreated"),
  },
  "a datasource's event": {
    path: "/events?type=DatasourceRegistered",
    shows: ["display"],
    act: press("DatasourceRegistered"),
  },
  "a service account's event": {
    path: "/events?category=serviceAccount&type=ServiceAccountCreated",
    shows: ["serviceAccount"],
    act: press("ServiceAccountCreated"),
  },
  "a document's event": {
    path: "/events?type=DocumentIndexed",
    shows: ["title"],
    act: press("DocumentIndexed"),
  },
};

describeInBrowser("what strangers have written, on the dashboard", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit;
  let page: Page;
  const asked: string[] = [];
  const dialogs: string[] = [];

  before(async () => {
    service = await startServiceUnderTest();
    await fill(service);
    browser = await startBrowser();
    const person = { email: root, roles: ["administrator", "developer", "auditor", "operator"] } as const;
    opened = await visitAs(browser, service, person, "/search");
    page = opened.page;
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.addInitScript("window.hits = 0; window.hit = () => window.hits++;");
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  for (const [name, { path, shows, act }] of Object.entries(screens))
    it(`is text: ${name}`, async () => {
      await page.goto(path);
      await act?.(page);
      for (const named of shows) await page.getByText(asShown(names[named])).first().waitFor({ state: "attached" });
      const live = "[onload], [onerror], [href^='javascript:' i], main script, dialog script, main img:not([alt=''])";
      expect(await page.locator(live).count(), "elements that were made of it").to.equal(0);
      expect(await page.evaluate("window.hits"), "calls").to.equal(0);
      expect(asked.filter((each) => each.endsWith(address) || each.endsWith("/x"))).to.deep.equal([]);
      expect(dialogs).to.deep.equal([]);
      expect(opened.faults()).to.deep.equal([]);
    });

  it("makes no link of an address that is a script", async () => {
    await page.goto("/search?query=anchor");
    await page.getByText(names.title).first().waitFor();
    expect(await page.locator("main a[target=_blank]").count()).to.equal(0);
    await page.goto("/documents/wiki__strange");
    await page.getByText(names.path).first().waitFor();
    expect(await page.getByRole("link", { name: "Open the original" }).count()).to.equal(0);
  });
});

async function fill({ indexing, operator }: ServiceUnderTest): Promise<void> {
  const datasource = "wiki";
  const write = async (path: string, body: object): Promise<void> => {
    const answer = await (path.startsWith("admin") ? operator : indexing).post(`/api/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };
  const property = { name: "owner", display_label: names.label, is_searchable: true, property_type: "TEXT" };
  await write("indexing/datasources", {
    ...{ name: datasource, display_name: names.display, subs: [{ name: names.sub, key: "part" }] },
    object_definitions: [{ name: "page", property_definitions: [property] }],
  });
  await write("indexing/users", { datasource, user: { email: root, name: names.person } });
  await write("indexing/groups", { datasource, group: { name: names.group } });
  await write("indexing/memberships", {
    datasource,
    membership: { group_name: names.group, member_email: root },
  });
  await write("indexing/documents", {
    documents: {
      ...{ datasource, id: "strange", title: names.title, author: names.author, path: names.path, file_type: "page" },
      ...{ path_preview: `javascript:hit()//${tags(" ")}`, data_source_sub: "part" },
      body: { mime_type: "text/plain", text_content: `An anchor in the harbour. ${names.body}` },
      permissions: { allowed_groups: [names.group] },
      custom_properties: [{ name: "owner", value: names.property }],
    },
  });
  await write("admin/service-accounts", { name: names.serviceAccount, datasources: [datasource] });
  await write("admin/agents", { name: names.agent, tools: ["internalSearch"] });
}
