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
