import { mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { barriersIn } from "../support/axe.js";
import { describeInBrowser, startBrowser, visit, type Visit } from "../support/chromium.js";
import { visitAs } from "../support/dashboardPerson.js";
import { documents, fillWithCompany, largeGroup, staff } from "../support/smallCompany.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

/** Where `SCREENSHOTS=1` asks for it, for people to look at: `{theme}-{width}-{screen}.jpeg`. */
const folder = fileURLToPath(new URL("../../screenshots/", import.meta.url));
const isShot = process.env["SCREENSHOTS"] === "1";

interface Screen {
  readonly path: string;
  /** What is there once it can be looked at. */
  readonly shows: string;
  /** Done before it is looked at. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const access = (asked: Readonly<Record<string, string>>): string => `/access?${new URLSearchParams(asked).toString()}`;
const picture = ".picture svg .place";

/** Every screen, and what opens on it; by what is in their address, or by elements that each language has. */
const screens: Readonly<Record<string, Screen>> = {
  search: { path: "/search", shows: ".empty" },
  "search-results": { path: "/search?query=database", shows: ".results" },
  "search-page-2": { path: "/search?query=database&page=2", shows: ".results" },
  "search-nothing": { path: "/search?query=zeppelin", shows: ".empty" },
  "search-filtered-away": { path: "/search?query=database&file_type=pdf", shows: ".empty" },
  "search-corrected": { path: "/search?query=databse", shows: ".results" },
  "search-as-someone": { path: `/search?query=database&as_user=${staff.ben}`, shows: ".results" },
  "search-document": { path: "/search?query=database&document=handbook__travel.md", shows: "dialog[open] mark" },
  "search-document-unknown": {
    path: "/search?query=database&document=handbook__nothing.md",
    shows: "dialog[open] [role=alert]",
  },
  document: { path: "/documents/handbook__travel.md?query=database", shows: "main mark" },
  "document-unknown": { path: "/documents/handbook__nothing.md", shows: "[role=alert]" },
  ask: { path: "/ask", shows: ".composer" },
  "ask-answered": {
    path: "/ask",
    shows: ".composer",
    act: async (page) => {
      await page.getByRole("textbox").fill("What is paid for a night in a hotel?");
      await page.keyboard.press("Enter");
      await page.locator(".sources li").first().waitFor();
    },
  },
  access: { path: "/access", shows: ".empty" },
  "access-yes": { path: access({ document: documents.restricted, person: staff.ada }), shows: picture },
  "access-no": { path: access({ document: documents.restricted, person: staff.ben }), shows: picture },
  "access-then": { path: access({ document: documents.restricted, person: staff.ben, at: "1" }), shows: "main h2" },
  "access-side-by-side": {
    path: access({ document: documents.restricted, person: staff.ada, other: staff.longName }),
    shows: picture,
  },
  "access-who": { path: access({ document: documents.restricted }), shows: picture },
  "access-what": { path: access({ person: staff.longName }), shows: picture },
  "service-accounts": { path: "/service-accounts", shows: "main table" },
  "service-accounts-new": {
    path: "/service-accounts",
    shows: "main table",
    act: (page) => page.locator(".page-head button").click(),
  },
  "api-keys": { path: "/api-keys", shows: "main table" },
  "api-keys-of-all": { path: "/api-keys?of=all", shows: "main table" },
  datasources: { path: "/datasources", shows: "main [href='/datasources/handbook']" },
  "datasources-new": {
    path: "/datasources",
    shows: "main [href='/datasources/handbook']",
    act: (page) => page.locator(".page-head button").click(),
  },
  "datasource-users": { path: "/datasources/handbook", shows: ".long-list-row" },
  "datasource-groups": { path: "/datasources/handbook?tab=groups", shows: ".long-list-row" },
  "datasource-group": {
    path: `/datasources/handbook?tab=groups&group=${largeGroup}`,
    shows: "dialog[open] .long-list-row",
  },
  "datasource-memberships": {
    path: `/datasources/handbook?tab=memberships&person=${staff.ada}`,
    shows: "main [href*='group=']",
  },
  "datasource-documents": { path: "/datasources/handbook?tab=documents", shows: ".long-list-row" },
  "datasource-document": {
    path: "/datasources/handbook?tab=documents&document=on-call.md",
    shows: "dialog[open] dl",
  },
  "datasource-settings": { path: "/datasources/handbook?tab=settings", shows: "main fieldset" },
  "read-models": { path: "/read-models", shows: "main table tbody tr" },
  "read-model": { path: "/read-models?name=catalogue", shows: ".graph canvas" },
  events: { path: "/events", shows: ".long-list-row" },
  event: {
    path: "/events?type=MembershipAdded",
    shows: ".long-list-row",
    act: async (page) => {
      await page.locator(".event-type").first().click();
      await page.locator("dialog[open] .event-data").waitFor();
    },
  },
  accounts: { path: "/accounts", shows: "main table" },
  profile: { path: "/profile", shows: "main form" },
  "no-such-page": { path: "/documents/no/such", shows: "main p" },
  "account-menu": {
    path: "/search",
    shows: ".empty",
    act: (page) => page.locator("[popovertarget=account]").click(),
  },
};

const widths = [360, 800, 1_600] as const;
const [narrowest, , widest] = widths;
/** Each theme in another language, so that both are looked at. */
const themes = [
  { theme: "light", locale: "en-GB" },
  { theme: "dark", locale: "de-DE" },
] as const;

describeInBrowser("every screen of the dashboard", () => {
  let service: ServiceUnderTest;
  let browser: Browser;

  before(async () => {
    rmSync(folder, { recursive: true, force: true });
    if (isShot) mkdirSync(folder, { recursive: true });
    service = await startServiceUnderTest();
    await fillWithCompany(service);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const isWiderThanWindow = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>("document.scrollingElement.scrollWidth > innerWidth");

  /**
   * Looks at what is there in each width, and in the narrowest and the widest for what keeps people from using it;
   * answers with what is wrong.
   */
  async function look(page: Page, theme: string, name: string): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // The frame after the next has what follows from the new width.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      if (await isWiderThanWindow(page)) wrong.push(`It is wider than the window of ${width} pixels.`);
      if (width === narrowest || width === widest)
        for (const barrier of await barriersIn(page)) wrong.push(`${width} pixels: ${barrier}`);
      if (isShot) await shoot(page, `${theme}-${width}-${name}`, { fullPage: true });
    }
    return wrong;
  }
  const shoot = (page: Page, name: string, how: { readonly fullPage?: boolean } = {}): Promise<Buffer> =>
    page.screenshot({ ...how, path: `${folder}${name}.jpeg`, type: "jpeg", quality: 80 });

  for (const { theme, locale } of themes)
    describe(`in a ${theme} theme, ${locale}`, () => {
      let opened: Visit;
      let page: Page;
      let known = 0;

      before(async () => {
        const person = { email: staff.root, roles: ["administrator", "developer", "auditor", "operator"] } as const;
        opened = await visitAs(browser, service, person, "/search", { theme, locale });
        page = opened.page;
      });
      after(() => opened?.context.close());

      const expectNoFaults = (): void => {
        const faults = opened.faults().slice(known);
        known += faults.length;
        expect(faults).to.deep.equal([]);
      };

      for (const [name, { path, shows, act }] of Object.entries(screens))
        it(`${name}: fits every width, and leaves nobody out`, async () => {
          await page.goto(path);
          await page.locator(shows).first().waitFor();
          await act?.(page);
          await page.locator(".busy").first().waitFor({ state: "detached" });
          expect(await look(page, theme, name)).to.deep.equal([]);
          expectNoFaults();
        });

      it("the menu of a narrow window: opens over the page", async () => {
        await page.setViewportSize({ width: 360, height: 760 });
        await page.goto("/search?query=database");
        await page.locator(".menu-button").click();
        await page.locator("#screens:popover-open").waitFor();
        if (isShot) await shoot(page, `${theme}-360-menu`);
        expect(await isWiderThanWindow(page)).to.equal(false);
        expect(await barriersIn(page)).to.deep.equal([]);
        expectNoFaults();
      });

      it("the sign-in form: fits every width, and leaves nobody out", async () => {
        const stranger = await visit(browser, service.url, "/events", { theme, locale });
        await stranger.page.locator("form [type=password]").waitFor();
        expect(await look(stranger.page, theme, "sign-in")).to.deep.equal([]);
        expect(stranger.faults()).to.deep.equal([]);
        await stranger.context.close();
      });
    });
});
