import { posix } from "node:path";
import mime from "mime-types";
import type { ZipArchive } from "../archive/zipArchive.js";
import { embeddedObject } from "../compound/embeddedObject.js";
import type { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { collectProperties, readXml, relationshipsOf } from "../xml/readXml.js";
import { instantOf, languageCode, oneLine, titleOf } from "./factValues.js";
import type { FileText, InnerFile } from "./reader.js";

/**
 * What Office says of a file in the two parts where it keeps its properties.
 *
 * @param headingOf what the file has for a title where Office says none.
 */
export function officeFacts(archive: ZipArchive, headingOf?: () => string | undefined): FileText["facts"] {
  const said = new Map<string, string>();
  for (const part of ["docProps/core.xml", "docProps/app.xml"]) {
    const bytes = archive.part(part);
    if (bytes !== null) readXml(bytes, part, collectProperties(said));
  }
  const pages = Number(said.get("Pages") ?? said.get("Slides"));
  return {
    title: titleOf(said.get("title"), headingOf),
    author: oneLine(said.get("creator")),
    language: languageCode(said.get("language")),
    pageCount: Number.isSafeInteger(pages) && pages > 0 ? pages : undefined,
    createdAt: instantOf(said.get("created")),
    modifiedAt: instantOf(said.get("modified")),
  };
}

/**
 * Text of charts: their titles, what their series are called, and their categories. Values say nothing that people look
 * for, and the cells that they come from are written beside them.
 */
const chartRules: FlowRules = {
  text: new Set(["t", "v", "pt"]),
  lines: new Set(["p", "v", "pt"]),
  leftOut: new Set(["pPr", "rPr", "endParaRPr", "val", "xVal", "yVal", "bubbleSize", "formatCode", "numDim"]),
  apart: new Set(),
  signs: { br: () => "\n" },
  isFlowing: false,
};

/** Text of diagrams ("SmartArt"). */
const diagramRules: FlowRules = {
  ...chartRules,
  text: new Set(["t"]),
  lines: new Set(["p"]),
};

const graphics: Readonly<Record<string, FlowRules>> = {
  chart: chartRules,
  chartEx: chartRules,
  diagramData: diagramRules,
};

/** Adds the text of the charts and diagrams that a part shows. */
export function addGraphics(archive: ZipArchive, part: string, text: TextBuilder): void {
  for (const { type, target } of relationshipsOf(archive, part)) {
    const rules = Object.hasOwn(graphics, type) ? graphics[type] : undefined;
    const bytes = rules === undefined || text.isFull ? null : archive.part(target);
    if (rules === undefined || bytes === null) continue;
    const flow = new Flow(rules, text.room);
    readXml(bytes, target, flow);
    // Each series names all categories.
    text.addDistinctLines(flow.toString());
  }
}

/** The files that parts have embedded, each once. */
export function embeddedFiles(archive: ZipArchive, parts: readonly string[]): readonly InnerFile[] {
  const targets = new Map<string, string>();
  for (const part of parts)
    for (const { type, target } of relationshipsOf(archive, part))
      if (type === "package" || type === "oleObject" || type === "aFChunk") targets.set(target, type);
  return [...targets].flatMap(([target, type]) => embeddedFile(archive, target, type) ?? []);
}

/** null: it is no file that anybody could open by itself, such as a formula. */
function embeddedFile(archive: ZipArchive, target: string, type: string): InnerFile | null {
  const name = posix.basename(target);
  if (!archive.has(target)) return null;
  // What Word shows as its own text has no name.
  if (type === "aFChunk")
    return { name: null, declaredMimeType: mime.lookup(target) || null, open: () => archive.requiredPart(target) };
  if (type === "package") return { name, declaredMimeType: null, open: () => archive.requiredPart(target) };
  return embeddedObject(archive.requiredPart(target), name);
}
