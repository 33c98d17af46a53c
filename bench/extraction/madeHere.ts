import { docx, paragraph, pptx, xlsx } from "../../test/support/files/office.js";
import { epub, openDocument } from "../../test/support/files/openDocument.js";
import { outlookMessage } from "../../test/support/files/outlook.js";
import { zip } from "../../test/support/files/zip.js";
import { sampleLines, sampleMarkdown, type Sample, type Section } from "./sample.js";

/** A document whose text is known. */
export interface KnownDocument {
  /** What it is, and what made it: `DOCX`, `DOCX of pandoc`. */
  readonly name: string;
  readonly format: string;
  readonly bytes: Buffer;
  readonly truth: string;
}

/** The sample in every format that can be written here, by the simplest markup of each. */
export function madeHere(sample: Sample): readonly KnownDocument[] {
  const lines = sampleLines(sample);
  const truth = lines.join("\n");
  const sheet = (section: Section): string => section.table.map((row) => row.join("\t")).join("\n");
  const sheets = sample.sections.map((section, at) => `Blatt${at + 1}\n${sheet(section)}`).join("\n");
  const known = (format: string, bytes: Buffer, text = truth): KnownDocument => ({
    name: format,
    format,
    bytes,
    truth: text,
  });
  const message = [sample.title, sample.author, "ada@example.org", "bob@example.org"].join("\n");
  return [
    known("DOCX", docx(lines.map(paragraph).join(""))),
    known("PPTX", pptx(sample.sections.map(({ heading, ...rest }) => slideOf(heading, rest)))),
    known("XLSX", workbook(sample), sheets),
    known("ODT", openDocument("text", lines.map((line) => `<text:p>${line}</text:p>`).join(""))),
    known("ODS", openSpreadsheet(sample), sheets),
    known("EPUB", epub(Object.fromEntries(sample.sections.map((section, at) => [`c${at}`, htmlOf(section)])))),
    known("RTF", Buffer.from(`{\\rtf1\\ansi ${lines.map((line) => `${escaped(line)}\\par`).join("\n")}}`, "latin1")),
    known("HTML", Buffer.from(page(sample))),
    known("EML", mail(sample, lines), `${message}\n${truth}`),
    known("MSG", outlook(sample, lines), `${message}\n${truth}`),
    known("ZIP", zip({ "text.txt": truth, "page.html": page(sample) }), `text.txt\n${truth}\npage.html\n${truth}`),
    known("Markdown", Buffer.from(sampleMarkdown(sample)), sampleMarkdown(sample)),
    known("TXT in Windows-1252", Buffer.from(lines.join("\n").replace(/[^\0-\xff]/g, "-"), "latin1"), latin(truth)),
  ];
}

const latin = (text: string): string => text.replace(/[^\0-\xff]/g, "-");

const slideOf = (heading: string, { paragraphs, list, table, note }: Omit<Section, "heading">) => ({
  shapes: [heading, [...paragraphs, note, ...list, ...table.flat()].join("\n")],
});

const workbook = ({ sections }: Sample): Buffer =>
  xlsx(
    Object.fromEntries(
      sections.map(({ table }, at) => [
        `Blatt${at + 1}`,
        table
          .map(([one = "", two = "", three = ""]) => {
            const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
            return `<row>${inline(one)}${inline(two)}<c><v>${three}</v></c></row>`;
          })
          .join(""),
      ]),
    ),
  );

const openSpreadsheet = ({ sections }: Sample): Buffer => {
  const cell = (text: string): string => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: readonly string[]): string => `<table:table-row>${cells.map(cell).join("")}</table:table-row>`;
  const sheets = sections.map(
    ({ table }, at) => `<table:table table:name="Blatt${at + 1}">${table.map(row).join("")}</table:table>`,
  );
  return openDocument("spreadsheet", sheets.join(""));
};

const htmlOf = ({ heading, paragraphs, list, table, note }: Section): string =>
  [
    `<h1>${heading}</h1>`,
    ...[...paragraphs, note].map((text) => `<p>${text.replace(/ (\S+)/, " <b>$1</b>")}</p>`),
    `<ul>${list.map((item) => `<li>${item}</li>`).join("")}</ul>`,
    `<table>${table.map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join("")}</tr>`).join("")}</table>`,
  ].join("\n");

const page = ({ title, sections }: Sample): string =>
  `<!doctype html><html lang="de"><head><title>${title}</title><style>p { color: red }</style></head><body>` +
  `<nav><a href="/">Start</a></nav>${sections.map(htmlOf).join("\n")}<script>alert("no")</script></body></html>`;

/** Characters beyond ASCII as RTF writes them. */
const escaped = (text: string): string => text.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0)}?`);

function mail({ title, author }: Sample, lines: readonly string[]): Buffer {
  const head = `From: ${author} <ada@example.org>\r\nTo: bob@example.org\r\nSubject: ${title}\r\nMIME-Version: 1.0\r\n`;
  const body = Buffer.from(lines.join("\r\n")).toString("base64").replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    `${head}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`,
  );
}

const outlook = ({ title, author }: Sample, lines: readonly string[]): Buffer =>
  outlookMessage({ texts: { "0037": title, "0C1A": author, "5D01": "ada@example.org", "1000": lines.join("\r\n") } }, [
    { texts: { "39FE": "bob@example.org" }, numbers: { 0x0c15: 1 } },
  ]);
