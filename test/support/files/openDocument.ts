import { zip } from "./zip.js";

const prefixes = ["office", "text", "table", "draw", "style", "meta", "dc", "presentation", "svg"];
const namespaces = prefixes.map((prefix) => `xmlns:${prefix}="urn:${prefix}"`).join(" ");

/** A part of an OpenDocument file. */
export const openPart = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:${root} ${namespaces}>${content}</office:${root}>`;

/** A file of LibreOffice: the markup of its body. `kind` is `text`, `spreadsheet` or `presentation`. */
export const openDocument = (kind: string, body: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": openPart(
      "document-content",
      `<office:automatic-styles><style:style>no</style:style></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
    ),
    ...more,
  });

/** A book: its chapters as pages, in the order of reading. */
export const epub = (
  chapters: Readonly<Record<string, string>>,
  metadata = "",
  more: Readonly<Record<string, string>> = {},
): Buffer => {
  const names = Object.keys(chapters);
  const items = names.map(
    (name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
    "OPS/book.opf": `<package xmlns:dc="urn:dc"><metadata>${metadata}</metadata><manifest>${items.reduce((later, item) => item + later, "")}<item id="nav" href="nav.xhtml" properties="nav"/></manifest><spine><itemref idref="nav"/>${names.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`,
    "OPS/nav.xhtml": "<html><body>Contents</body></html>",
    ...Object.fromEntries(
      names.map((name) => [
        `OPS/text/${name}.xhtml`,
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>no</title></head><body>${chapters[name] ?? ""}</body></html>`,
      ]),
    ),
    ...more,
  });
};
