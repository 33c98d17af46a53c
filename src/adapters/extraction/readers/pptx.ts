import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { prefixed, readXml, mainPart, relationshipsOf } from "../xml/readXml.js";
import { officeFacts } from "./officeFacts.js";
import type { Reader } from "./reader.js";

/** Text of slides, notes, comments, diagrams and charts. Numbers of slides stand on every one of them. */
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
const furtherParts = ["diagramData", "chart", "notesSlide", "comments"];

/** Presentations: slides in the order in which they are shown. */
export const pptx: Reader = {
  async read(file, context) {
    const archive = new ZipArchive(file.bytes, context);
    const text = new TextBuilder(context.maxCharacters);
    const slides = slideParts(archive);
    for (const slide of slides) {
      if (text.isFull) break;
      addLines(archive.requiredPart(slide), slide, text, context.maxCharacters);
      for (const part of belongingTo(archive, slide)) {
        const bytes = archive.part(part);
        if (bytes !== null) addLines(bytes, part, text, context.maxCharacters);
      }
    }
    return { text: text.toString(), facts: { ...officeFacts(archive), pageCount: slides.length || undefined } };
  },
};

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

function belongingTo(archive: ZipArchive, slide: string): readonly string[] {
  const relationships = relationshipsOf(archive, slide);
  return furtherParts.flatMap((type) => relationships.filter((one) => one.type === type).map(({ target }) => target));
}

function addLines(bytes: Buffer, part: string, text: TextBuilder, maxCharacters: number): void {
  const flow = new Flow(rules, maxCharacters);
  readXml(bytes, part, flow);
  text.addLines(flow.toString());
}
