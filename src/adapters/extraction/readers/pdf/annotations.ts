import type { PDFDocumentProxy } from "pdfjs-dist";
import type { Glyph } from "./glyphs.js";
import { linesOf, type Line } from "./lines.js";

/** A field, a note or anything else that lies on a page, as the library tells it. */
export interface Annotation {
  readonly id: string;
  readonly pageIndex: number;
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  /** What a file attachment holds. */
  readonly file?: unknown;
}

/** Their numbers in the library. The text of a link is the page's. */
const link = 2;
const mostTypes = 26;
const types = new Set(Array.from({ length: mostTypes }, (_, at) => at + 1).filter((type) => type !== link));

/** More of one document are not looked at. */
const mostAnnotations = 100_000;

/** A damaged file may claim any number of pages. */
const mostPagesSkipped = 100_000;

/**
 * The annotations of a document, as far as people see them, by the numbers of their pages. None where they are damaged.
 * They are asked for after the pages were read: then the library has them, and reads no page a second time.
 */
export async function annotationsOf(
  document: PDFDocumentProxy,
  isRead: (page: number) => boolean,
): Promise<ReadonlyMap<number, readonly Annotation[]>> {
  const byPage = new Map<number, Annotation[]>();
  const skipped = new Set<number>();
  for (let number = 1; number <= document.numPages; number += 1) {
    if (!isRead(number)) skipped.add(number - 1);
    if (skipped.size > mostPagesSkipped) return byPage;
  }
  const found: unknown = await document.getAnnotationsByType(types, skipped).catch(() => null);
  const all = (found ?? []) as readonly Annotation[];
  for (const annotation of all.slice(0, mostAnnotations).filter(isSeen)) {
    const ofPage = byPage.get(annotation.pageIndex + 1);
    if (ofPage === undefined) byPage.set(annotation.pageIndex + 1, [annotation]);
    else ofPage.push(annotation);
  }
  return byPage;
}

const [hidden, notViewed] = [2, 32];

const isSeen = ({ annotationFlags = 0 }: Annotation): boolean => (annotationFlags & (hidden | notViewed)) === 0;

/**
 * What fields and annotations say, each text once: as it is shown, and where nothing shows it, as it is kept. A mark in
 * a box says nothing, and a password is nobody's to read.
 */
export function annotationLines(
  annotations: readonly Annotation[],
  drawn: ReadonlyMap<string, readonly Glyph[]>,
): readonly Line[] {
  const said = new Set<string>();
  const known = new Set(annotations.map(({ id }) => id));
  // What the library does not know is of kinds that are painted all the same, as films are.
  const ofOtherKinds = [...drawn].flatMap(([id, glyphs]) => (known.has(id) ? [] : linesOf(glyphs)));
  const ofKnown = annotations.flatMap((annotation) => {
    if (isMute(annotation)) return [];
    const shown = linesOf(drawn.get(annotation.id) ?? []);
    if (annotation.fieldType !== undefined) return fieldLines(annotation, shown);
    const note = annotation.contentsObj?.str ?? "";
    if (said.has(note) || isSaidIn(note, shown)) return shown;
    said.add(note);
    return [...shown, ...asLines(note)];
  });
  return [...ofKnown, ...ofOtherKinds];
}

const isMute = ({ password, checkBox, radioButton }: Annotation): boolean =>
  password === true || checkBox === true || radioButton === true;

/** What is shown may be out of date, or in a font that tells nothing: then it has fewer letters than the value. */
function fieldLines(field: Annotation, shown: readonly Line[]): readonly Line[] {
  const value = valueOf(field);
  const readable = shown.filter(({ unmapped }) => unmapped === 0).map(({ text }) => text);
  return compact(readable.join("")).length >= compact(value).length ? shown : asLines(value);
}

/** A choice is shown by its label. */
function valueOf({ fieldValue, fieldType, options = [] }: Annotation): string {
  if (fieldType === "Btn" || fieldType === "Sig") return "";
  const values = Array.isArray(fieldValue) ? (fieldValue as readonly unknown[]) : [fieldValue];
  const labels = values.map((value) => options.find((option) => option.exportValue === value)?.displayValue ?? value);
  return labels.filter((label) => typeof label === "string").join("\n");
}

const asLines = (text: string): readonly Line[] => text.split(/[\r\n]+/).map((line) => ({ text: line, unmapped: 0 }));

const isSaidIn = (note: string, shown: readonly Line[]): boolean =>
  compact(shown.map(({ text }) => text).join("")).includes(compact(note));

const compact = (text: string): string => text.normalize("NFKC").replace(/\s+/g, "");
