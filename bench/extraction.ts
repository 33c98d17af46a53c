import { mkdtempSync, rmSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, basename, extname } from "node:path";
import { execFileSync } from "node:child_process";
import { readFile } from "../src/adapters/extraction/readFile.js";
import { carriedString } from "../src/shared/carriedText.js";
import { atLeast, median, timed, type Measurement } from "./measure.js";
import { docx, paragraph, pptx, xlsx } from "../test/support/files/office.js";
import { epub, openDocument } from "../test/support/files/openDocument.js";
import { outlookMessage } from "../test/support/files/outlook.js";
import { zip } from "../test/support/files/zip.js";

const usualSections = 20;
const leastRecall: Readonly<Record<string, number>> = { PDF: 0.95, RTF: 0.97, PPTX: 0.95, ODP: 0.95, EPUB: 0.95 };
const usualRecall = 0.98;
const leastPrecision = 0.95;
const limits = { maxCharacters: 20_000_000, ocrLanguages: null };

/**
 * How much of the text of documents is read, format by format: of documents that are made here, and of what pandoc and
 * LibreOffice write, where they are on the machine.
 */
export async function measureExtraction(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "enterprise-search-bench-"));
  try {
    const sample = makeSample(usualSections);
    const measurements: Measurement[] = [];
    for (const document of [...madeHere(sample), ...madeByOthers(sample, folder, report)])
      measurements.push(await measure(document, rounds));
    return measurements;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure({ name, format, bytes, truth }: KnownDocument, rounds: number): Promise<Measurement> {
  const read = () => readFile({ bytes, mimeType: null, charset: null, name: `file.${format.toLowerCase()}` }, limits);
  const extraction = await read();
  const text = extraction.kind === "text" ? carriedString(extraction.text) : "";
  const { recall, precision, phrases } = scoreOf(truth, text);
  const verdict = atLeast(leastRecall[format] ?? usualRecall, recall);
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) taken.push(await timed(read));
  return {
    name: `${name}: recall of words (ours: precision, phrases; peer: time)`,
    ...verdict,
    met: verdict.met && precision >= leastPrecision,
    ours: `${precision.toFixed(3)}, ${phrases.toFixed(3)}`,
    peer: `${median(taken).toFixed(1)} ms for ${Math.ceil(bytes.length / 1_024)} kB`,
    rounds,
  };
}

const longestMs = 120_000;
/** What each program writes, and from which file. */
const pandocWrites = ["docx", "odt", "epub", "rtf", "html", "pptx"];

const libreOfficeWrites: Readonly<Record<string, readonly string[]>> = {
  "sample.docx": ["odt", "rtf", "pdf"],
  "sample.odt": ["docx", "html"],
  "sample.pptx": ["odp"],
  "table.csv": ["xlsx", "ods"],
};

/** The sample as other programs write it; none where the program is not on this machine, which is reported. */
function madeByOthers(sample: Sample, folder: string, report: (line: string) => void): readonly KnownDocument[] {
  if (!isInstalled("pandoc")) {
    report("pandoc is not installed: what it and LibreOffice write is skipped");
    return [];
  }
  writeFileSync(join(folder, "sample.md"), sampleMarkdown(sample));
  const truth = execFileSync("pandoc", ["sample.md", "-t", "plain", "--wrap=none"], { cwd: folder, encoding: "utf8" });
  const made = pandocWrites.map((extension) => {
    const file = `sample.${extension}`;
    execFileSync("pandoc", ["sample.md", "-s", "-o", file], { cwd: folder, stdio: "ignore" });
    return knownDocument(join(folder, file), "pandoc", truth);
  });
  return [...made, ...byLibreOffice(sample, folder, truth, report)];
}

function byLibreOffice(
  sample: Sample,
  folder: string,
  truth: string,
  report: (line: string) => void,
): readonly KnownDocument[] {
  if (!isInstalled("soffice")) {
    report("LibreOffice is not installed: what it writes is skipped");
    return [];
  }
  const table = sample.sections.flatMap((section) => section.table.map((row) => row.join(";"))).join("\n");
  writeFileSync(join(folder, "table.csv"), table);
  const out = join(folder, "libreoffice");
  return Object.entries(libreOfficeWrites).flatMap(([source, extensions]) =>
    extensions.flatMap((extension) => {
      const filter = source.endsWith(".csv") ? ["--infilter=CSV:59,34,76,1"] : [];
      const parts = ["--headless", ...filter, "--convert-to", extension, "--outdir", out, source];
      execFileSync("soffice", parts, { cwd: folder, stdio: "ignore", timeout: longestMs });
      const file = join(out, `${basename(source, extname(source))}.${extension}`);
      const text = source.endsWith(".csv") ? `table\n${table.replaceAll(";", "\n")}` : truth;
      return existsSync(file) ? [knownDocument(file, "LibreOffice", text)] : [];
    }),
  );
}

function knownDocument(file: string, program: string, truth: string): KnownDocument {
  const format = extname(file).slice(1).toUpperCase();
  return { name: `${format} of ${program}`, format, bytes: readFileSync(file), truth };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore", timeout: longestMs });
    return true;
  } catch {
    return false;
  }
}

/** A document whose text is known. */
interface KnownDocument {
  /** What it is, and what made it: `DOCX`, `DOCX of pandoc`. */
  readonly name: string;
  readonly format: string;
  readonly bytes: Buffer;
  readonly truth: string;
}

/** The sample in every format that can be written here, by the simplest markup of each. */
function madeHere(sample: Sample): readonly KnownDocument[] {
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

/** A text in German and English whose every word is known, as parts from which documents are made. */
interface Sample {
  readonly title: string;
  readonly author: string;
  readonly sections: readonly Section[];
}

interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly list: readonly string[];
  readonly table: readonly (readonly string[])[];
  readonly note: string;
}

const vocabulary = (
  "Die Reisekosten werden nach der Rückkehr abgerechnet Belege sind innerhalb von vier Wochen einzureichen Übernachtungen " +
  "größere Beträge müssen vorher genehmigt sein the travel expenses are settled after the return receipts have to be " +
  "handed in within four weeks overnight stays larger amounts need approval beforehand Straße Maß naïve café Łódź Москва"
).split(" ");

/** The same words on every machine. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(state / 65_536);
  }
}

/** Made-up German and English sections, and what a reader should find of them: the same on every machine. */
/** Words in an order that nobody could guess, and that is the same on every machine. */
function makeSample(sections: number): Sample {
  const random = numbers(7);
  const next = (below: number): number => random.next().value % below;
  const words = (count: number): string =>
    Array.from({ length: count }, () => vocabulary[next(vocabulary.length)]).join(" ");
  const sentence = (): string => `${words(6 + next(12))}.`;
  return {
    title: "Reisekosten und Leave",
    author: "Ada Lovelace",
    sections: Array.from({ length: sections }, (_, at) => ({
      heading: `Kapitel ${at + 1} ${words(3)}`,
      paragraphs: Array.from({ length: 4 }, () => [sentence(), sentence(), sentence()].join(" ")),
      list: Array.from({ length: 4 }, () => words(6)),
      table: Array.from({ length: 4 }, () => [words(1), words(2), String(next(10_000))]),
      note: `Fußnote ${sentence()}`,
    })),
  };
}

/** The text, line by line, in the order of reading. */
const sampleLines = ({ sections }: Sample): readonly string[] =>
  sections.flatMap(({ heading, paragraphs, list, table, note }) => [
    heading,
    ...paragraphs,
    note,
    ...list,
    ...table.flat(),
  ]);

/** As Markdown, from which other programs make documents. */
const sampleMarkdown = (sample: Sample): string =>
  [
    `---\ntitle: ${sample.title}\nauthor: ${sample.author}\nlang: de\n---`,
    ...sample.sections.flatMap(({ heading, paragraphs, list, table, note }, at) => [
      `# ${heading}`,
      ...paragraphs.slice(0, -1),
      `${paragraphs.at(-1)}[^n${at}]`,
      `[^n${at}]: ${note}`,
      list.map((item) => `- ${item}`).join("\n"),
      ["| a | b | c |", "|---|---|---|", ...table.map((row) => `| ${row.join(" | ")} |`)].join("\n"),
    ]),
  ].join("\n\n");

/** How well a text was read, each from 0 to 1. */
interface Score {
  /** How many of the words that are there were read. */
  readonly recall: number;
  /** How many of the words that were read are there. */
  readonly precision: number;
  /** How many phrases of four words were read as they stand. */
  readonly phrases: number;
}

const phraseWords = 4;
/** Every so many words, a phrase is looked for. */
const stride = 7;

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Compares what was read with what is there, word by word. A word that was read twice counts as read once too much. */
function scoreOf(truth: string, read: string): Score {
  const [there, found] = [wordsOf(truth), wordsOf(read)];
  const counts = countsOf(found);
  let common = 0;
  for (const [word, count] of countsOf(there)) common += Math.min(count, counts.get(word) ?? 0);
  const phrases: string[] = [];
  for (let at = 0; at + phraseWords <= there.length; at += stride)
    phrases.push(` ${there.slice(at, at + phraseWords).join(" ")} `);
  const running = ` ${found.join(" ")} `;
  return {
    recall: common / there.length,
    precision: common / found.length,
    phrases: phrases.filter((phrase) => running.includes(phrase)).length / phrases.length,
  };
}
