import { posix } from "node:path";
import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { readXml, relationshipsOf, type Attributes } from "../xml/readXml.js";
import { officeFacts } from "./officePackage.js";
import type { Reader } from "./reader.js";

/** Printed pages of Windows: what is drawn in the same height is a line. */
export const xps: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const text = new TextBuilder(context.maxCharacters);
    const pages = documentsOf(archive).flatMap((document) => sourcesIn(archive, document, "PageContent"));
    for (const page of pages) {
      const content = text.isFull ? null : archive.part(page);
      if (content !== null) addPage(content, page, text);
    }
    return { text: text.toString(), facts: { ...officeFacts(archive), pageCount: pages.length || undefined } };
  },
};

function documentsOf(archive: ZipArchive): readonly string[] {
  const sequence = relationshipsOf(archive, "").find(({ type }) => type === "fixedrepresentation")?.target;
  return sequence === undefined ? [] : sourcesIn(archive, sequence, "DocumentReference");
}

/** The parts that elements of a name refer to. */
function sourcesIn(archive: ZipArchive, part: string, element: string): readonly string[] {
  const sources: string[] = [];
  readXml(archive.requiredPart(part), part, {
    open: (name, attributes) => {
      const source = name === element ? attributes.get("Source") : undefined;
      if (source === undefined) return;
      sources.push(source.startsWith("/") ? source.slice(1) : posix.join(posix.dirname(part), source));
    },
  });
  return sources;
}

/** Runs of glyphs are apart by this share of their size where they are words apart. */
const wordGap = 0.15;
/** Letters are about half as wide as high. */
const usualWidth = 0.5;

function addPage(bytes: Buffer, part: string, text: TextBuilder): void {
  let [height, end] = [Number.NaN, 0];
  readXml(bytes, part, {
    open: (name, attributes) => {
      const run = name === "Glyphs" ? runOf(attributes) : null;
      if (run === null) return;
      if (run.y !== height) text.endLine();
      else if (run.x - end > wordGap * run.size) text.addFlowing(" ");
      text.addFlowing(run.text);
      [height, end] = [run.y, run.x + run.width];
    },
    isDone: () => text.isFull,
  });
  text.endLine();
}

interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly width: number;
}

function runOf(attributes: Attributes): Run | null {
  // A leading pair of braces says that what follows is no markup.
  const text = (attributes.get("UnicodeString") ?? "").replace(/^\{\}/, "");
  if (text === "") return null;
  const [x, y, size] = ["OriginX", "OriginY", "FontRenderingEmSize"].map((name) => Number(attributes.get(name) ?? 0));
  const width = advance(attributes.get("Indices") ?? "", text.length) * (size ?? 0);
  return { text, x: x ?? 0, y: y ?? 0, size: size ?? 0, width };
}

/** How wide a run is, in sizes of its font: glyphs say their width in hundredths where it is not the font's own. */
function advance(indices: string, glyphs: number): number {
  const said = indices.split(";").map((glyph) => glyph.split(",")[1]);
  return Array.from({ length: glyphs }, (_, at) => Number(said[at] || usualWidth * 100) / 100).reduce(
    (sum, one) => sum + one,
    0,
  );
}
