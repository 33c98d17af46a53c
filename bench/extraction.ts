import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFile } from "../src/adapters/extraction/readFile.js";
import { carriedString } from "../src/shared/carriedText.js";
import { madeByOthers } from "./extraction/madeByOthers.js";
import { madeHere, type KnownDocument } from "./extraction/madeHere.js";
import { makeSample } from "./extraction/sample.js";
import { scoreOf } from "./extraction/scores.js";
import { atLeast, median, timed, type Measurement } from "./measure.js";

const sections = 20;
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
    const sample = makeSample(sections);
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
