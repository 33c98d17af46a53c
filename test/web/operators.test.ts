import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import type { ProjectionsAnswer } from "../../src/readModels/projectionStatus.js";
import { describeInBrowser, startBrowser, type Visit } from "../support/chromium.js";
import { visitAs, type Person } from "../support/dashboardPerson.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const root: Person = { email: "root@example.org", roles: ["administrator", "operator"] };
const unreadableVersion = 99;

describeInBrowser("what operators do on the dashboard where something went wrong", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit | null = null;

  before(async () => {
    service = await startServiceUnderTest();
    const { indexing } = service;
    const datasource = "wiki";
    await indexing.post("/api/indexing/datasources", { name: datasource, display_name: "The wiki" });
    await indexing.post("/api/indexing/documents", {
      documents: ["plan", "report"].map((id) => ({
        ...{ datasource, id, title: `The ${id}`, file_type: "page" },
        body: { mime_type: "text/plain", text_content: "Text." },
      })),
    });
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

  const open = async (path: string): Promise<Page> => {
    opened = await visitAs(browser, service, root, path);
    return opened.page;
  };
  const inFile = <Value>(name: string, work: (database: Database.Database) => Value): Value => {
    const database = new Database(join(service.dataDir, name));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  /** Writes the last event of a document once more, as a later version of the program would. */
  const plantUnreadable = (documentId: string): number =>
    inFile("log.sqlite", (log) => {
      const planted = log
        .prepare<[number, string, string], { position: number }>(
          `INSERT INTO events (stream, revision, category, version, id, type, metadata, data)
           SELECT stream, revision + 1, category, ?, ?, type, metadata, data FROM events
           WHERE type = 'DocumentIndexed' AND data ->> '$.documentId' = ? RETURNING position`,
        )
        .get(unreadableVersion, `planted-${documentId}`, documentId);
      return planted?.position ?? 0;
    });
  const makeReadable = (position: number): void =>
    inFile("log.sqlite", (log) => {
      log
        .prepare(
          "UPDATE events SET version = (SELECT min(version) FROM events WHERE type = 'DocumentIndexed') WHERE position = ?",
        )
        .run(position);
    });
  const untilParked = async (...names: readonly string[]): Promise<void> => {
    const areParked = async (): Promise<boolean> => {
      const { body } = await service.operator.get<ProjectionsAnswer>("/api/admin/projections");
      return names.every((name) => body.projections.some((each) => each.name === name && each.parked === 1));
    };
    while (!(await areParked()));
  };

  it("applies a parked event again, and tells of a document whose event is parked, until it is left out", async () => {
    const position = plantUnreadable("plan");
    await untilParked("search", "permissionHistory");
    const page = await open("/read-models?name=permissionHistory");
    await page.getByText("Upgrade the program").first().waitFor();
    await page.getByText("It takes something away, so it cannot be left out.").waitFor();
    const retried = page.waitForResponse((response) => response.url().endsWith("/parked/retry"));
    await page.getByRole("button", { name: "Apply again" }).click();
    await retried;
    await page.getByRole("link", { name: `DocumentIndexed · ${position}` }).waitFor();
    makeReadable(position);
    await page.getByRole("button", { name: "Apply all again" }).click();
    await page.getByText("No event is parked").waitFor();

    await page.goto("/datasources/wiki?tab=documents&document=plan");
    const dialog = page.getByRole("dialog", { name: "The plan" });
    await dialog.getByText("parked", { exact: true }).waitFor();
    await dialog.getByText(`search could not apply the event at ${position}`).waitFor();
    await dialog.getByRole("link", { name: "See what can be done" }).click();
    await page.getByRole("heading", { level: 1, name: "search" }).waitFor();
    await page.getByRole("button", { name: "Leave out" }).click();
    await page
      .getByRole("dialog")
      .getByText(/less is shown, never more/)
      .waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Leave out" }).click();
    await page.getByText("No event is parked").waitFor();
  });

  it("shows where a new version differs from the one that is served, and serves it once it is accepted", async () => {
    inFile("readModels.sqlite", (models) => {
      models.exec("UPDATE catalogue SET datasource = json_set(datasource, '$.displayName', 'Spoilt')");
    });
    const page = await open("/read-models?name=catalogue");
    await page.getByRole("button", { name: "Rebuild" }).click();
    await page.getByRole("button", { name: "Begin to build" }).click();
    await page.getByText("waits to be accepted").first().waitFor();
    await page.getByText(/^1 difference in/).waitFor();
    await page.getByText("Some of the differences").click();
    const example = page.getByRole("listitem").filter({ hasText: "datasources wiki" });
    await example.getByText("displayName", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Accept and serve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept and serve" }).click();
    await page.getByRole("button", { name: "Go back" }).waitFor();
    await page.goto("/datasources");
    await page.getByRole("link", { name: "The wiki" }).waitFor();
  });
});
