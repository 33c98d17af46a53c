import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { mainPart, prefixed, readXml, relationshipsOf } from "../xml/readXml.js";
import { embeddedFiles, officeFacts } from "./officePackage.js";
import type { Reader } from "./reader.js";

/** Each shape has one text. */
const rules: FlowRules = {
  text: new Set(["Text"]),
  lines: new Set(["Text"]),
  leftOut: new Set(),
  apart: new Set(),
  signs: {},
  isFlowing: false,
};

/** Drawings of Visio from 2013 on: page by page, its name and then the text of its shapes. */
export const visio: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const text = new TextBuilder(context.maxCharacters);
    const pages = pagesOf(archive);
    for (const { name, part } of pages) {
      const page = text.isFull ? null : archive.part(part);
      if (page === null) continue;
      text.addLines(name);
      readXml(page, part, new Flow(rules, text.room, text));
      text.endLine();
    }
    const parts = embeddedFiles(
      archive,
      pages.map(({ part }) => part),
    );
    return { text: text.toString(), facts: { ...officeFacts(archive), pageCount: pages.length || undefined }, parts };
  },
};

interface Page {
  readonly name: string;
  readonly part: string;
}

function pagesOf(archive: ZipArchive): readonly Page[] {
  const main = mainPart(archive, "visio/document.xml");
  const list = relationshipsOf(archive, main).find(({ type }) => type === "pages")?.target ?? "visio/pages/pages.xml";
  const targets = new Map(relationshipsOf(archive, list).map(({ id, target }) => [id, target]));
  const pages: Page[] = [];
  let name = "";
  readXml(archive.requiredPart(list), list, {
    open: (element, attributes) => {
      if (element === "Page") name = attributes.get("Name") ?? "";
      const part = element === "Rel" ? targets.get(prefixed(attributes, "id") ?? "") : undefined;
      if (part !== undefined) pages.push({ name, part });
    },
  });
  return pages;
}
