/**
 * Takes pictures of documents of every kind as the dashboard shows them, in three widths and both themes, for somebody
 * to look at: `node build/readingScreenshots.js FOLDER`, after `npm run build:tests`.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { startBrowser } from "../dist/test/support/chromium.js";
import { visitAs } from "../dist/test/support/dashboardPerson.js";
import { xlsx } from "../dist/test/support/files/office.js";
import { pdfOfLines } from "../dist/test/support/files/pdfs.js";
import { zip } from "../dist/test/support/files/zip.js";
import { startServiceUnderTest } from "../dist/test/support/startService.js";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder for the pictures.");
mkdirSync(folder, { recursive: true });

const ada = { email: "ada@example.org" };
const widths = [360, 768, 1_440];
const themes = ["light", "dark"];

const row = (...cells) => `<row>${cells.map((text) => `<c t="str"><v>${text}</v></c>`).join("")}</row>`;
const months = ["January", "February", "March", "April", "May", "June"];

const attached = (name, type, text) => [
  ...["--cut", `Content-Type: ${type}`, `Content-Disposition: attachment; filename=${name}`],
  ...["Content-Transfer-Encoding: base64", "", Buffer.from(text).toString("base64")],
];

const mail = [
  ...["From: Grace Hopper <grace@example.org>", "To: Ada Lovelace <ada@example.org>, Alan <alan@example.org>"],
  ...["Cc: Edsger <edsger@example.org>", "Subject: Receipts of May", "Date: Fri, 03 May 2024 09:30:00 +0000"],
  ...["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=cut", "", "--cut", "Content-Type: text/plain", ""],
  ...["Dear Ada,", "", "here are the receipts of our trip. The film is for later.", "", "Grace"],
  ...attached("receipts.md", "text/markdown", "## Receipts\n\n- Train: 48.90\n- Hotel: 120.00"),
  ...attached("rates.csv", "text/csv", "City,Rate\nHamburg,120\nKiel,90\n"),
  ...attached("film.mp4", "video/mp4", Buffer.from("0000001866747970697336d000000000", "hex")),
  ...["--cut--", ""],
];

const documents = {
  markdown: ["text/markdown", readFileSync("docs/search.md")],
  workbook: [
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    xlsx({
      Costs: row("Month", ...months) + row("Travel", ...months.map((_, at) => String(120.5 + at * 17))),
      Staff:
        row("Name", "Place", "Remark") + row("Grace Hopper", "Hamburg", "Reads receipts at the end of each month."),
    }),
  ],
  mail: ["message/rfc822", mail.join("\r\n")],
  archive: [
    "application/zip",
    zip({
      "notes/first.txt": "The first note.",
      "notes/travel.md": "# Travel\n\nBy train.",
      "film.mp4": "\0\0\0\x18ftypis6",
    }),
  ],
};

const uploads = {
  pdf: [
    "trip.pdf",
    "application/pdf",
    pdfOfLines(["Travel expenses", "Send receipts within a month."], ["Second page"]),
  ],
  picture: ["search.jpg", "image/jpeg", readFileSync("docs/images/search.jpg")],
};

const service = await startServiceUnderTest();
const browser = await startBrowser();
try {
  await push();
  for (const width of widths) for (const theme of themes) await takeAll({ width, theme, height: 900 });
} finally {
  await browser.close();
  await service.stop();
}

async function push() {
  await service.indexing.post("/api/indexing/datasources", { name: "wiki" });
  await service.indexing.post("/api/indexing/users", { datasource: "wiki", user: ada });
  for (const [id, [mimeType, bytes]] of Object.entries(documents))
    await service.indexing.post("/api/indexing/documents", {
      documents: {
        ...{ datasource: "wiki", id, title: `A ${id}`, file_type: "file" },
        body: { mime_type: mimeType, binary_base64: Buffer.from(bytes).toString("base64") },
      },
    });
}

async function takeAll(visitor) {
  const { page, context } = await visitAs(browser, service, ada, "/search", visitor);
  const take = (name) =>
    page.screenshot({
      path: `${folder}/${name}-${visitor.width}-${visitor.theme}.png`,
      fullPage: process.argv.includes("--whole"),
    });
  for (const id of Object.keys(documents)) {
    await page.goto(`/documents/wiki__${id}?query=receipts`);
    await page.locator(".reading").waitFor();
    await take(id);
  }
  for (const [name, [file, mimeType, buffer]] of Object.entries(uploads)) {
    await page.goto("/ask");
    await page.locator("input[type=file]").setInputFiles({ name: file, mimeType, buffer });
    await page.getByRole("link", { name: file }).click();
    await page.locator(".file-looks :is(img, canvas[data-state=drawn])").waitFor();
    await take(name);
  }
  await context.close();
}
