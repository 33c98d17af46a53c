import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { prefixed, readXml, mainPart, relationshipsOf, targetsOf } from "../xml/readXml.js";
import { addGraphics, embeddedFiles, officeFacts } from "./officePackage.js";
import { oneLine } from "./factValues.js";
import type { Reader } from "./reader.js";

/** Text of slides, notes and comments. Numbers of slides stand on every one of them. */
const rules: FlowRules = {
  text: new Set(["t", "text"]),
  lines: new Set(["p", "text"]),
  leftOut: new Set(["pPr", "rPr", "endParaRPr", "bodyPr", "lstStyle", "Fallback"]),
  apart: new Set(),
  signs: { br: () => "\n", tab: () => "\t" },
  isFlowing: false,
  isLeftOut: (name, attributes) => name === "fld" && (attributes.get("type") ?? "").startsWith("slidenum"),
};

/** What belongs to a slide is read after it, in this order. */
const furtherParts = ["notesSlide", "comments"];

/** Presentations: slides in the order in which they are shown. */
export const pptx: Reader = {
  async read(file, context) {
    const archive = new ZipArchive(file.bytes, context);
    const text = new TextBuilder(context.maxCharacters);
    const slides = slideParts(archive);
    for (const slide of slides) {
      if (text.isFull) break;
      addLines(archive.requiredPart(slide), slide, rules, text);
      addGraphics(archive, slide, text);
      for (const part of targetsOf(archive, slide, furtherParts)) {
        const bytes = archive.part(part);
        if (bytes !== null) addLines(bytes, part, rules, text);
      }
    }
    addMasters(archive, slides, text);
    const facts = {
      ...officeFacts(archive, () => titleOfSlide(archive, slides[0])),
      pageCount: slides.length || undefined,
    };
    return { text: text.toString(), facts, parts: embeddedFiles(archive, slides) };
  },
};

/** What stands in the place that a slide has for its title. */
function titleOfSlide(archive: ZipArchive, slide: string | undefined): string | undefined {
  let [text, isTitle] = ["", false];
  let found: string | undefined;
  if (slide === undefined) return undefined;
  readXml(archive.requiredPart(slide), slide, {
    open: (name, attributes) => {
      if (name === "sp") [text, isTitle] = ["", false];
      if (name === "ph") isTitle = /^(?:ctrTitle|title)$/.test(attributes.get("type") ?? "");
      if (name === "br") text += " ";
    },
    text: (data) => {
      text += data;
    },
    close: (name) => {
      if (name === "sp" && isTitle) found ??= oneLine(text);
    },
  });
  return found;
}

function slideParts(archive: ZipArchive): readonly string[] {
  const main = mainPart(archive, "ppt/presentation.xml");
  const targets = new Map(relationshipsOf(archive, main).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  readXml(archive.requiredPart(main), main, {
    open: (name, attributes) => {
      const target = name === "sldId" ? targets.get(prefixed(attributes, "id") ?? "") : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides;
}

/** What layouts and masters show on every slide that has them, each line once. */
function addMasters(archive: ZipArchive, slides: readonly string[], text: TextBuilder): void {
  const layouts = new Set(slides.flatMap((slide) => targetsOf(archive, slide, ["slideLayout"])));
  const masters = new Set([...layouts].flatMap((layout) => targetsOf(archive, layout, ["slideMaster"])));
  const shown = new TextBuilder(text.room);
  for (const part of [...layouts, ...masters]) {
    const bytes = archive.part(part);
    if (bytes !== null) addLines(bytes, part, withoutPlaceholders(bytes, part), shown);
  }
  text.addDistinctLines(shown.toString());
}

/** Rules that leave out shapes that each slide fills with a text of its own: the master's text in them is a hint. */
function withoutPlaceholders(bytes: Buffer, part: string): FlowRules {
  const placeholders = new Set<number>();
  let shapes = 0;
  readXml(bytes, part, {
    open: (name) => {
      if (name === "sp") shapes += 1;
      if (name === "ph") placeholders.add(shapes);
    },
  });
  let seen = 0;
  return { ...rules, isLeftOut: (name) => name === "sp" && placeholders.has(++seen) };
}

function addLines(bytes: Buffer, part: string, by: FlowRules, text: TextBuilder): void {
  const flow = new Flow(by, text.room);
  readXml(bytes, part, flow);
  text.addLines(flow.toString());
}
