import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { ApiClient } from "../support/apiClient.js";
import { describeInBrowser, startBrowser, type Visit } from "../support/chromium.js";
import { visitAs, type Person } from "../support/dashboardPerson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const administrator: Person = { email: "ada@example.org", roles: ["administrator", "developer"] };
const reader: Person = { email: "grace@example.org" };
const auditor: Person = { email: "eve@example.org", roles: ["auditor"] };
const operator: Person = { email: "olga@example.org", roles: ["operator"] };

describeInBrowser("from a new service account to a membership that is gone", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  const opened: Visit[] = [];

  before(async () => {
    service = await startServiceUnderTest();
    browser = await startBrowser();
  });

  after(async () => {
    await browser.close();
    await service.stop();
  });

  const open = async (person: Person, path: string): Promise<Page> => {
    const visit = await visitAs(browser, service, person, path);
    opened.push(visit);
    return visit.page;
  };
  const place = (page: Page, name: string) => page.locator(`.picture [data-place="${name}"]`);

  it("is seen at every screen as it happens", async () => {
    const page = await open(administrator, "/service-accounts");
    await page.getByRole("button", { name: "New service account" }).click();
    await page.getByLabel("Name").fill("handbook-sync");
    await page.getByRole("button", { name: "Create" }).click();
    const program = new ApiClient(service.url, await page.locator("[data-secret]").textContent());
    await page.getByRole("button", { name: "Done" }).click();

    const push = async (path: string, body: object): Promise<void> => {
      const answer = await program.post(`/api/indexing/${path}`, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    };
    const membership = { group_name: "staff", member_email: reader.email };
    await push("datasources", { name: "handbook" });
    await push("users", { datasource: "handbook", user: { email: reader.email } });
    await push("groups", { datasource: "handbook", group: { name: "staff" } });
    await push("memberships", { datasource: "handbook", membership });
    await push("documents", {
      documents: {
        ...{ datasource: "handbook", id: "leave.md", title: "Days of leave", file_type: "markdown" },
        body: { mime_type: "text/plain", text_content: "Everyone has thirty days of leave a year." },
        permissions: { allowed_groups: ["staff"] },
      },
    });

    const search = await open(reader, "/search");
    const ask = async (): Promise<void> => {
      await search.getByRole("searchbox").fill("thirty days");
      await search.getByRole("searchbox").press("Enter");
    };
    await ask();
    await search.getByRole("heading", { name: "Days of leave" }).waitFor();

    const access = await open(auditor, "/access");
    const explain = async (): Promise<void> => {
      await access.getByLabel("Document").fill("handbook/leave.md");
      await access.getByLabel("Person").fill(reader.email);
      await access.getByLabel("Person").press("Enter");
    };
    await explain();
    await access.getByRole("heading", { name: `${reader.email} can see Days of leave.` }).waitFor();
    for (const name of ["document handbook/leave.md", "group handbook/staff", `person ${reader.email}`])
      await place(access, name).waitFor();
    expect(await access.getByRole("main").textContent()).to.include("handbook-sync");

    const group = await open(administrator, "/datasources/handbook?tab=groups&group=staff");
    const dialog = group.getByRole("dialog", { name: "staff" });
    await dialog.getByRole("button", { name: `Take out: ${reader.email}` }).click();
    await group.getByRole("button", { name: "Take out", exact: true }).last().click();
    const members = dialog.getByRole("group", { name: "Members" });
    await members.getByText(reader.email).waitFor({ state: "detached" });

    await search.reload();
    await search.getByRole("status").getByText("Nothing found").waitFor();
    await access.reload();
    await access.getByRole("heading", { name: `${reader.email} cannot see Days of leave.` }).waitFor();
    expect(await access.getByRole("main").textContent()).to.include(administrator.email);

    const events = await open(operator, "/events?type=MembershipRemoved");
    const happened = events.getByRole("group", { name: "What has happened" });
    await happened.getByRole("button", { name: "MembershipRemoved" }).waitFor();
    for (const { faults, context } of opened) {
      expect(faults()).to.deep.equal([]);
      await context.close();
    }
  });
});
