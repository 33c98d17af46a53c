import type { ZipArchive } from "../archive/zipArchive.js";
import { collectProperties, readXml } from "../xml/readXml.js";
import type { FileText } from "./reader.js";
import { instantOf, languageCode, oneLine } from "./factValues.js";

/** What Office says of a file in the two parts where it keeps its properties. */
export function officeFacts(archive: ZipArchive): FileText["facts"] {
  const said = new Map<string, string>();
  for (const part of ["docProps/core.xml", "docProps/app.xml"]) {
    const bytes = archive.part(part);
    if (bytes !== null) readXml(bytes, part, collectProperties(said));
  }
  const pages = Number(said.get("Pages") ?? said.get("Slides"));
  return {
    title: oneLine(said.get("title")),
    author: oneLine(said.get("creator")),
    language: languageCode(said.get("language")),
    pageCount: Number.isSafeInteger(pages) && pages > 0 ? pages : undefined,
    createdAt: instantOf(said.get("created")),
    modifiedAt: instantOf(said.get("modified")),
  };
}
