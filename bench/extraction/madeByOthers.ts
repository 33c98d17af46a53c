import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { KnownDocument } from "./madeHere.js";
import { sampleMarkdown, type Sample } from "./sample.js";

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
export function madeByOthers(sample: Sample, folder: string, report: (line: string) => void): readonly KnownDocument[] {
  if (!isInstalled("pandoc")) {
    report("pandoc is not installed: what it and LibreOffice write is skipped");
    return [];
  }
  writeFileSync(join(folder, "sample.md"), sampleMarkdown(sample));
  const truth = execFileSync("pandoc", ["sample.md", "-t", "plain", "--wrap=none"], { cwd: folder, encoding: "utf8" });
  const made = pandocWrites.map((extension) => {
    const file = `sample.${extension}`;
    execFileSync("pandoc", ["sample.md", "-s", "-o", file], { cwd: folder, stdio: "ignore" });
    return known(join(folder, file), "pandoc", truth);
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
      return existsSync(file) ? [known(file, "LibreOffice", text)] : [];
    }),
  );
}

function known(file: string, program: string, truth: string): KnownDocument {
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
