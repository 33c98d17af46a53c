import { posix } from "node:path";
import type { ZipArchive } from "../archive/zipArchive.js";
import { readXml } from "./readXml.js";

/** What a part of an office file refers to. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type: `header`, `slide`, `notesSlide`. */
  readonly type: string;
  /** The name of the part. */
  readonly target: string;
}

/** The parts that a part refers to; "" is the file as a whole. What lies outside of the file is left out. */
export function relationshipsOf(archive: ZipArchive, part: string): readonly Relationship[] {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const bytes = archive.part(name);
  const found: Relationship[] = [];
  if (bytes === null) return found;
  readXml(bytes, name, {
    open: (element, attributes) => {
      if (element !== "Relationship" || attributes.get("TargetMode") === "External") return;
      const target = attributes.get("Target") ?? "";
      found.push({
        id: attributes.get("Id") ?? "",
        type: (attributes.get("Type") ?? "").replace(/^.*\//, ""),
        target: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
      });
    },
  });
  return found;
}

/** The part that an office file is about, such as `word/document.xml`. */
export function mainPart(archive: ZipArchive, usual: string): string {
  return relationshipsOf(archive, "").find(({ type }) => type === "officeDocument")?.target ?? usual;
}
