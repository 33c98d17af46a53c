import { zip } from "./zip.js";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");

/** An XML part: the markup of its root's content. */
export const part = (root: string, content: string): string =>
  `${declaration}<${root} ${namespaces}>${content}</${root}>`;

/** The relationships of a part, as `[id, type, target]`. */
export const relationships = (...all: readonly (readonly [string, string, string])[]): string =>
  `${declaration}<Relationships>${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${relationshipTypes}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

const contentTypes = (main: string, type: string): string =>
  `${declaration}<Types><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

/** Where Office keeps a file's properties. */
export const properties = (inside: string): string => part("cp:coreProperties", inside);

/** A paragraph of a Word document. */
export const paragraph = (text: string): string =>
  `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A Word document: the markup of its body, and further parts below `word/` by the type of their relationship. */
export function docx(
  body: string,
  parts: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(parts);
  return zip({
    "[Content_Types].xml": contentTypes("word/document.xml", "wordprocessingml.document"),
    "_rels/.rels": relationships(["r1", "officeDocument", "word/document.xml"]),
    "word/document.xml": part("w:document", `<w:body>${body}</w:body>`),
    "word/_rels/document.xml.rels": relationships(
      ...names.map((name, at) => [`p${at}`, name.replace(/\d+$/, ""), `${name}.xml`] as const),
    ),
    ...Object.fromEntries(names.map((name) => [`word/${name}.xml`, part(`w:${name}`, parts[name] ?? "")])),
    ...more,
  });
}

const shape = (text: string, placeholder = ""): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${text
    .split("\n")
    .map((line) => `<a:p><a:pPr/><a:r><a:rPr/><a:t>${line}</a:t></a:r></a:p>`)
    .join("")}</p:txBody></p:sp>`;

/** One slide: the texts of its shapes, and its speaker notes. */
export interface Slide {
  readonly shapes: readonly string[];
  readonly notes?: string;
}

/** A presentation. Its slides are shown in this order, and numbered from the last to the first. */
export function pptx(slides: readonly Slide[], more: Readonly<Record<string, string>> = {}): Buffer {
  const numberOf = (at: number): number => slides.length - at;
  const entries: Record<string, string> = {
    "[Content_Types].xml": contentTypes("ppt/presentation.xml", "presentationml.presentation"),
    "_rels/.rels": relationships(["r1", "officeDocument", "/ppt/presentation.xml"]),
    "ppt/presentation.xml": part(
      "p:presentation",
      `<p:sldIdLst>${slides.map((_, at) => `<p:sldId r:id="s${at}" id="${256 + at}"/>`).join("")}</p:sldIdLst>`,
    ),
    "ppt/_rels/presentation.xml.rels": relationships(
      ...slides.map((_, at) => [`s${at}`, "slide", `slides/slide${numberOf(at)}.xml`] as const),
    ),
  };
  slides.forEach(({ shapes, notes }, at) => {
    const name = `slide${numberOf(at)}.xml`;
    const number = `<a:p><a:fld type="slidenum"><a:t>${at + 1}</a:t></a:fld></a:p>`;
    entries[`ppt/slides/${name}`] = part(
      "p:sld",
      `<p:spTree>${shapes.map((text) => shape(text)).join("")}${number}</p:spTree>`,
    );
    if (notes === undefined) return;
    entries[`ppt/slides/_rels/${name}.rels`] = relationships(["n", "notesSlide", `../notesSlides/${name}`]);
    entries[`ppt/notesSlides/${name}`] = part("p:notes", `<p:spTree>${shape(notes)}${number}</p:spTree>`);
  });
  return zip({ ...entries, ...more });
}

/** A workbook: the markup of the rows of each sheet, the strings that they share, and its styles. */
export function xlsx(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  styles = "",
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(sheets);
  return zip({
    "[Content_Types].xml": contentTypes("xl/workbook.xml", "spreadsheetml.sheet"),
    "_rels/.rels": relationships(["r1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": part(
      "workbook",
      `<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join("")}</sheets>`,
    ),
    "xl/_rels/workbook.xml.rels": relationships(
      ["t", "sharedStrings", "sharedStrings.xml"],
      ...names.map((_, at) => [`s${at}`, "worksheet", `worksheets/sheet${at + 1}.xml`] as const),
    ),
    "xl/sharedStrings.xml": part("sst", strings.map((string) => `<si>${string}</si>`).join("")),
    "xl/styles.xml": part("styleSheet", styles),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        part("worksheet", `<sheetData>${sheets[name] ?? ""}</sheetData>`),
      ]),
    ),
    ...more,
  });
}
