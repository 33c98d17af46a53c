import { expect } from "chai";
import type { Browser } from "playwright-core";
import { describeInBrowser, startBrowser, visit } from "../support/chromium.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

describe("the dashboard's files", () => {
  let service: ServiceUnderTest;

  before(async () => {
    service = await startServiceUnderTest();
  });

  after(() => service.stop());

  for (const path of ["/", "/search?query=a", "/datasources/handbook/users", "/documents/handbook__a.md"]) {
    it(`answers ${path} with the page, which is asked for anew each time`, async () => {
      const answer = await fetch(service.url + path);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("content-type")).to.equal("text/html; charset=utf-8");
      expect(answer.headers.get("cache-control")).to.equal("no-cache");
    });
  }

  it("lets nothing run but this origin's scripts, and no text become markup", async () => {
    const { headers } = await fetch(`${service.url}/`);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types pdf-worker",
    ])
      expect(policy.split("; ")).to.include(rule);
  });

  it("sends scripts compressed, to be kept for good, under names that change with them", async () => {
    const page = await (await fetch(`${service.url}/`)).text();
    const [script = ""] = /\/assets\/index-[\w-]+\.js/.exec(page) ?? [];
    const answer = await fetch(service.url + script, { headers: { "Accept-Encoding": "br" } });
    expect(answer.headers.get("content-encoding")).to.equal("br");
    expect(answer.headers.get("vary")).to.include("Accept-Encoding");
    expect(answer.headers.get("cache-control")).to.include("immutable");
    expect(answer.headers.get("content-type")).to.equal("text/javascript; charset=utf-8");
    const policy = answer.headers.get("content-security-policy")?.split("; ");
    expect(policy).to.deep.equal(["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"]);
  });

  it("loads at most 120 KB before it can be used", async () => {
    const page = await fetch(`${service.url}/`);
    const files = [...(await page.text()).matchAll(/\/assets\/[\w-]+\.(?:js|css)/g)].map(([file]) => file);
    const sizes = await Promise.all(
      [...new Set(files)].map(async (file) => {
        const { headers } = await fetch(service.url + file, { headers: { "Accept-Encoding": "br" }, method: "HEAD" });
        return Number(headers.get("content-length"));
      }),
    );
    expect(sizes).to.have.length.greaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.lessThan(120_000);
  });

  it("answers what is no page with the usual 404", async () => {
    expect((await fetch(`${service.url}/assets/none.js`)).status).to.equal(404);
    expect((await fetch(`${service.url}/no-such-page`)).status).to.equal(404);
  });

  describeInBrowser("in a browser", () => {
    let browser: Browser;

    before(async () => {
      browser = await startBrowser();
    });

    after(() => browser.close());

    it("asks who is not signed in to sign in, in the browser's language", async () => {
      for (const [locale, name] of [
        ["en-GB", "Sign in"],
        ["de-DE", "Anmelden"],
      ] as const) {
        const { page, faults, context } = await visit(browser, service.url, "/events", { locale });
        await page.getByRole("button", { name, exact: true }).waitFor();
        expect(faults()).to.deep.equal([]);
        await context.close();
      }
    });
  });
});
