import type { DocumentIndexed } from "../../src/events/document.js";

/** What of a document's origin is searched. */
export type NamedDocument = Pick<DocumentIndexed["data"], "author" | "path" | "pathPreview">;

/**
 * By which names people look for a document besides its title: the author, and what the file is called, as the ends of
 * path and address say. All of them are shown in results anyway. Distinct, as texts.
 */
export function searchedNames({ author, path, pathPreview }: NamedDocument): readonly string[] {
  const names = [
    path === null ? "" : lastSegment(path),
    pathPreview === null ? "" : fileInAddress(pathPreview),
    author,
  ];
  return [...new Set(names.flatMap((name) => (name === null || name.trim() === "" ? [] : [name])))];
}

/** Of folders, or of a breadcrumb trail. */
const lastSegment = (path: string): string =>
  path.split(/[/\\]+|\s>\s/u).findLast((segment) => segment.trim() !== "") ?? "";

/** Empty where the address names the document in its query: the path is then that of a program. */
function fileInAddress(address: string): string {
  if (!URL.canParse(address)) return "";
  const { pathname, search } = new URL(address);
  return search === "" ? decoded(lastSegment(pathname)) : "";
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
