/**
 * Takes the README's screenshots of the dashboard, with the demo's company, into `docs/images`. Run by `npm run
 * screenshots`, which needs Chromium.
 */
import { mkdirSync } from "node:fs";
import { datasource, people, revokedMembership } from "../dist/demo/company.js";
import { startServiceUnderDemo } from "../dist/demo/serviceUnderDemo.js";
import { tell } from "../dist/demo/story.js";
import { startBrowser } from "../dist/test/support/chromium.js";

const folder = "docs/images";
const viewport = { width: 1_200, height: 760 };
const tall = { ...viewport, height: 1_040 };
const [ada] = people;

mkdirSync(folder, { recursive: true });
const service = await startServiceUnderDemo({ port: 0, data: null, people }, new AbortController().signal);
const browser = await startBrowser();
try {
  await tell(service);
  const page = await signedIn();
  const document = await documentAbout("better-sqlite3 prepared statements");
  await take(page, "search", "/search?query=how+much+is+paid+for+a+hotel+in+Munich", /results?$/);
  await page.setViewportSize(tall);
  const asked = new URLSearchParams({ document, person: ada.email });
  await take(page, "access", `/access?${asked}`, "Choose a place or a link");
} finally {
  await browser.close();
  await service.end();
}

/** A page of Ada's, who is back in all her groups. */
async function signedIn() {
  const { group, member } = revokedMembership;
  const membership = { group_name: group, member_group_name: member };
  await service.indexing.request({
    method: "POST",
    path: "/api/indexing/memberships",
    body: { datasource, membership },
  });
  const page = await browser.newPage({ viewport, baseURL: service.url, locale: "en-GB", colorScheme: "light" });
  await page.goto("/");
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByLabel("Password").fill(service.credentials.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("searchbox").waitFor();
  return page;
}

/** The first find, as `datasource/id`. */
async function documentAbout(query) {
  const path = `/api/beta/search?${new URLSearchParams({ query })}`;
  const { body } = await service.as(ada).request({ method: "GET", path });
  return body.results[0].id.replace("__", "/");
}

async function take(page, name, path, ready) {
  await page.goto(path);
  await page.getByText(ready).first().waitFor();
  await page.screenshot({ path: `${folder}/${name}.jpg`, type: "jpeg", quality: 80 });
}
