import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { barriersInThemes } from "../support/axe.js";
import { describeInBrowser, startBrowser, untilTrue, type Visit, type Visitor } from "../support/chromium.js";
import { visitAs } from "../support/dashboardPerson.js";
import { xlsx } from "../support/files/office.js";
import { drawn, pdfOfLines, PdfMaker } from "../support/files/pdfs.js";
import { zip } from "../support/files/zip.js";
import { startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";

const ada = { email: "ada@example.org" };
const live = "<img src=/never onerror=hit()><script>hit()</script>";

const markdown = `# Travel

Send **receipts** within a month &middot; not later. ${live}

## How much

- Train
  - Night train
- Bus

3. Third
4. Fourth

> Nobody walks.

| City | Rate |
|---|---|
| Hamburg | 120 |
| Kiel | 90 |

\`\`\`sh
# send receipts
send --all
\`\`\`

![A picture](https://elsewhere.example/i.png) [a link](https://elsewhere.example/)
`;

const cell = (name: string, text: string): string => `<c r="${name}" t="str"><v>${text}</v></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join("")}</row>`;

const book = xlsx({
  Costs:
    row(cell("A1", "City"), cell("C1", "Rate")) + row(cell("A2", "Hamburg"), cell("B2", "train"), cell("C2", "120")),
  Trips: Array.from({ length: 3_000 }, (_, n) =>
    row(cell(`A${n + 1}`, `Trip ${n + 1}`), cell(`B${n + 1}`, "done")),
  ).join(""),
});

const wide = `${Array.from({ length: 45 }, (_, n) => `column ${n + 1}`).join(";")}\n${"x;".repeat(44)}x\n"quoted; ""value""\nof two lines";b\n`;

const boundary = "cut";
const mail = [
  "From: Grace Hopper <grace@example.org>",
  "To: Ada Lovelace <ada@example.org>, Alan <alan@example.org>",
  "Cc: Edsger <edsger@example.org>",
  "Subject: Receipts of May",
  "Date: Fri, 03 May 2024 09:30:00 +0000",
  "MIME-Version: 1.0",
  `Content-Type: multipart/mixed; boundary=${boundary}`,
  "",
  `--${boundary}`,
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Here are the receipts.",
  ...attached("list.md", "text/markdown", Buffer.from("## Inside\n\n- one receipt")),
  ...attached("rates.csv", "text/csv", Buffer.from("City,Rate\nHamburg,120\n")),
  ...attached("film.mp4", "video/mp4", Buffer.from("0000001866747970697336d000000000", "hex")),
  `--${boundary}--`,
  "",
].join("\r\n");

function attached(name: string, type: string, bytes: Buffer): readonly string[] {
  const headers = [`Content-Type: ${type}`, `Content-Disposition: attachment; filename=${name}`];
  return [`--${boundary}`, ...headers, "Content-Transfer-Encoding: base64", "", bytes.toString("base64")];
}

const archive = zip({
  "notes/first.txt": `First ${"filler ".repeat(15_000)}`,
  "notes/last.md": "# Last\n\nThe anchor is here.",
});

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describeInBrowser("a document's page", () => {
  let service: ServiceUnderTest;
  let browser: Browser;
  let opened: Visit | null = null;

  before(async () => {
    service = await startServiceUnderTest();
    const write = async (path: string, body: object): Promise<void> => {
      const answer = await service.indexing.post(`/api/indexing/${path}`, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    };
    await write("datasources", { name: "wiki" });
    await write("users", { datasource: "wiki", user: ada });
    const push = (id: string, mimeType: string, bytes: Buffer | string): Promise<void> =>
      write("documents", {
        documents: {
          ...{ datasource: "wiki", id, title: `The ${id}`, file_type: "file" },
          body: { mime_type: mimeType, binary_base64: Buffer.from(bytes).toString("base64") },
        },
      });
    await push("markdown", "text/markdown", markdown);
    await push("book", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", book);
    await push("values", "text/csv", wide);
    await push("mail", "message/rfc822", mail);
    await push("archive", "application/zip", archive);
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
    opened = await visitAs(browser, service, ada, path, visitor);
    return opened.page;
  };
  const openDocument = (id: string, query = "", visitor: Visitor = {}): Promise<Page> =>
    open(`/documents/wiki__${id}${query === "" ? "" : `?query=${query}`}`, visitor);

  it("shows Markdown as what it means, and nothing of it runs or loads", async () => {
    const page = await openDocument("markdown", "receipts");
    const text = page.locator(".reading");
    await text.getByRole("heading", { name: "Travel", level: 2 }).waitFor();
    await text.getByRole("heading", { name: "How much", level: 3 }).waitFor();
    expect(await text.locator("ul > li > ul > li").allTextContents()).to.deep.equal(["Night train"]);
    expect(await text.locator("ol").getAttribute("start")).to.equal("3");
    expect(await text.getByRole("columnheader").allTextContents()).to.deep.equal(["City", "Rate"]);
    expect(await text.getByRole("cell").allTextContents()).to.deep.equal(["Hamburg", "120", "Kiel", "90"]);
    expect(await text.locator("pre").textContent()).to.equal("# send receipts\nsend --all");
    await text.getByText("within a month · not later.").waitFor();
    expect(await text.locator("a, img, script").count()).to.equal(0);
    expect(await text.locator("mark").allTextContents()).to.deep.equal(["receipts", "receipts"]);
    await page.getByText("2 matches").waitFor();
  });

  it("has the text as it was read beside it, with the same matches", async () => {
    const page = await openDocument("markdown", "receipts");
    await page.getByRole("button", { name: "Text as it was read" }).click();
    await page.locator(".document-text").waitFor();
    expect(await page.locator(".document-text").textContent()).to.include("## How much\n\n- Train");
    expect(await page.locator("mark").count()).to.equal(2);
    await page.getByRole("button", { name: "Next match" }).click();
    await page.locator("mark.here").waitFor();
    await page.getByRole("button", { name: "As a document" }).click();
    await page.getByRole("heading", { name: "How much" }).waitFor();
    expect(await page.locator(".reading mark").count()).to.equal(2);
  });

  it("shows workbooks as tables, sheet by sheet, and more of a long one where that is asked for", async () => {
    const page = await openDocument("book", "hamburg");
    const costs = page.getByRole("region", { name: "Costs" });
    await costs.waitFor();
    expect(await costs.getByRole("row").nth(0).getByRole("cell").allTextContents()).to.deep.equal(["City", "", "Rate"]);
    expect(await costs.locator("mark").allTextContents()).to.deep.equal(["Hamburg"]);
    const trips = page.getByRole("region", { name: "Trips" });
    const before = await trips.getByRole("row").count();
    expect(before).to.be.within(100, 2_000);
    await page.getByRole("button", { name: "Show more of the text" }).click();
    await trips.getByRole("cell", { name: "Trip 3000", exact: true }).waitFor();
    expect(await trips.getByRole("row").count()).to.equal(3_000);
  });

  it("shows comma-separated values as a table, with as many columns as people look at", async () => {
    const page = await openDocument("values", "quoted");
    await page.getByRole("columnheader", { name: "column 30", exact: true }).waitFor();
    expect(await page.getByRole("columnheader").count()).to.equal(30);
    await page.getByText('quoted; "value" of two lines').waitFor();
    await page.getByText("30 of 45 columns are shown.").waitFor();
    await page.getByRole("button", { name: "Show 45 columns" }).click();
    await page.getByRole("columnheader", { name: "column 45", exact: true }).waitFor();
  });

  it("shows a mail with its head, and leads to what is attached", async () => {
    const page = await openDocument("mail", "receipts");
    const head = page.locator(".reading .facts").first();
    await head.waitFor();
    expect(await head.getByRole("term").allTextContents()).to.deep.equal(["Subject", "From", "To", "Cc", "Date"]);
    expect((await head.getByRole("definition").allTextContents()).slice(0, 4)).to.deep.equal([
      "Receipts of May",
      "Grace Hopper <grace@example.org>",
      "Ada Lovelace <ada@example.org>, Alan <alan@example.org>",
      "Edsger <edsger@example.org>",
    ]);
    const parts = page.getByRole("navigation", { name: "Files in it" });
    expect(await parts.getByRole("listitem").count()).to.equal(3);
    await parts.getByText(/not read: The file is a video/).waitFor();
    await page.getByText(/^This file was not read: The file is a video/).waitFor();
    await page.getByRole("heading", { name: "Inside", level: 3 }).waitFor();
    expect(await page.getByRole("columnheader").allTextContents()).to.deep.equal(["City", "Rate"]);
    await parts.getByRole("link", { name: "rates.csv" }).focus();
    await page.keyboard.press("Enter");
    await untilHeadingHasFocus(page, "rates.csv");
  });

  it("says the same in German", async () => {
    const page = await openDocument("mail", "", { locale: "de-DE" });
    await page.getByRole("navigation", { name: "Dateien darin" }).waitFor();
    expect(await page.getByRole("term").allTextContents()).to.include.members(["Betreff", "Kopie an"]);
    await page
      .getByText(/nicht gelesen: The file is a video/)
      .first()
      .waitFor();
  });

  it("leads to an entry of an archive beyond what is shown, and back", async () => {
    const page = await openDocument("archive");
    await page.getByText(/ of .* characters are shown/).waitFor();
    expect(await page.getByText("The anchor is here.").count()).to.equal(0);
    await page.getByRole("button", { name: "Text as it was read" }).click();
    await page.getByRole("link", { name: "notes/last.md" }).click();
    await page.getByText("The anchor is here.").waitFor();
    await untilHeadingHasFocus(page, "notes/last.md");
    await page.getByRole("heading", { name: "Last", exact: true, level: 3 }).waitFor();
    await page.getByRole("link", { name: "notes/first.txt" }).click();
    await untilHeadingHasFocus(page, "notes/first.txt");
  });

  for (const id of ["markdown", "book", "values", "mail", "archive"])
    for (const width of [360, 1_440])
      it(`leaves nobody out: ${id}, ${width} pixels wide`, async () => {
        const page = await openDocument(id, "receipts", { width });
        await page.locator(".reading").waitFor();
        expect(await barriersInThemes(page)).to.deep.equal([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "fits").to.equal(true);
      });

  const upload = async (page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> => {
    await page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
    await page.getByRole("link", { name }).click();
  };

  it("shows the pages of an uploaded PDF as pictures beside its text", async () => {
    const page = await open("/ask");
    await upload(page, "trip.pdf", "application/pdf", pdfOfLines(["First page"], ["Second page"]));
    const dialog = page.getByRole("dialog", { name: "trip.pdf" });
    await dialog.getByText("Page 1 of 2").waitFor();
    expect(await darkPixels(page)).to.be.greaterThan(50);
    await dialog.getByText("First page").waitFor();
    await dialog.getByRole("button", { name: "Next page" }).click();
    await dialog.getByText("Page 2 of 2").waitFor();
    await dialog.getByRole("img", { name: "Page 2 of trip.pdf as a picture." }).waitFor();
    expect(await darkPixels(page)).to.be.greaterThan(50);
    expect(await barriersInThemes(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await untilTrue(page, "location.search === ''");
  });

  it("shows the page that was asked for last, however fast pages are turned", async () => {
    const page = await open("/ask");
    await upload(page, "long.pdf", "application/pdf", pdfOfLines(["First page"], ["Second page"], []));
    const dialog = page.getByRole("dialog", { name: "long.pdf" });
    await dialog.getByText("Page 1 of 3").waitFor();
    for (const name of ["Next page", "Next page", "Previous page"]) await dialog.getByRole("button", { name }).click();
    await dialog.getByText("Page 2 of 3").waitFor();
    expect(await darkPixels(page)).to.be.greaterThan(50);
    expect(await dialog.locator(".notice").count()).to.equal(0);
  });

  it("shows an uploaded picture, says where there is no text, and has an address of its own", async () => {
    const page = await open("/ask");
    await upload(page, "dot.png", "image/png", picture);
    await page
      .getByRole("dialog", { name: "dot.png" })
      .getByRole("img", { name: /^dot\.png as a picture/ })
      .waitFor();
    await untilTrue(page, "document.querySelector('.file-looks img').naturalWidth === 1");
    await page.getByText("No text was read of this file.").waitFor();
    await page.reload();
    await page.getByRole("dialog", { name: "dot.png" }).waitFor();
  });

  it("runs nothing of an uploaded PDF or drawing", async () => {
    const page = await open("/ask");
    await page.evaluate("window.hits = 0; window.hit = () => window.hits++;");
    await upload(page, "script.pdf", "application/pdf", scriptedPdf());
    await page.getByText("Page 1 of 1").waitFor();
    expect(await page.locator(".file-looks :is(a, input, iframe, object, embed)").count()).to.equal(0);
    await page.keyboard.press("Escape");
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="hit()"><script>hit()</script><text>Drawn</text></svg>`;
    await upload(page, "drawing.svg", "image/svg+xml", Buffer.from(drawing));
    await page.getByRole("dialog", { name: "drawing.svg" }).getByText("Drawn").waitFor();
    expect(await page.locator("dialog :is(img, svg, canvas)").count()).to.equal(0);
    expect(await page.evaluate("window.hits")).to.equal(0);
  });
});

/** Waits for the heading of a part: the link to it has the same text. */
const untilHeadingHasFocus = (page: Page, text: string): Promise<void> =>
  untilTrue(
    page,
    `document.activeElement?.matches("h2, h3") && document.activeElement.textContent === ${JSON.stringify(text)}`,
  );

/** How many pixels of the drawn page are ink. */
const darkPixels = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector(".file-looks canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 128 && data[at] < 100) count++;
    return count;
  })()`);

/** A PDF that asks to run a script when it is opened, with a link, a field that runs one, and a form to be sent. */
function scriptedPdf(): Buffer {
  const pdf = new PdfMaker();
  const font = pdf.addStandardFont();
  const script = "<< /S /JavaScript /JS (hit\\(\\)) >>";
  pdf.catalog = `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>`;
  pdf.addAnnotation(`/Subtype /Link /A << /S /URI /URI (https://elsewhere.example/) >>`, drawn(["A link"]));
  pdf.addAnnotation(`/Subtype /Widget /FT /Tx /T (field) /V (Filled) /AA << /K ${script} >>`, drawn(["Filled"]));
  pdf.addAnnotation("/Subtype /Widget /FT /Btn /T (send) /A << /S /SubmitForm /F (https://elsewhere.example/) >>");
  return pdf.addPage(drawn(["A page"]), { F1: font }).make();
}
