import type { PDFPageProxy } from "pdfjs-dist";
import type { Line } from "./lines.js";

/** An element of a form in XML, as the library tells it: as a browser would show it. */
interface FormElement {
  readonly name?: string;
  readonly value?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly children?: readonly (FormElement | null)[];
}

/** Deeper elements are left out. */
const deepestElement = 1_000;

/** The lines of a page of a form in XML (XFA), with what is filled in. */
export async function formLines(page: PDFPageProxy): Promise<readonly Line[]> {
  const lines: string[] = [];
  collect(((await page.getXfa()) ?? {}) as FormElement, lines, 0);
  return lines.map((text) => ({ text, unmapped: 0 }));
}

function collect(element: FormElement, lines: string[], depth: number): void {
  if (depth > deepestElement || isHidden(element)) return;
  lines.push(...ownText(element).split("\n"));
  if (element.name === "select") return;
  for (const child of element.children ?? []) if (child !== null) collect(child, lines, depth + 1);
}

const isHidden = ({ attributes = {} }: FormElement): boolean => {
  const style = (attributes["style"] ?? {}) as Readonly<Record<string, unknown>>;
  return attributes["hidden"] === true || style["display"] === "none" || style["visibility"] === "hidden";
};

/** Marks of boxes and passwords are not read. */
const readInputs = new Set([undefined, "text", "number", "date", "tel", "email"]);

function ownText(element: FormElement): string {
  const { name, value, attributes = {} } = element;
  if (name === "select") return chosen(element).join("\n");
  const isReadable = name !== "input" || readInputs.has(attributes["type"] as string | undefined);
  if (!isReadable) return "";
  const text = name === "input" ? attributes["value"] : (attributes["textContent"] ?? value);
  return typeof text === "string" ? text : "";
}

/** A choice is shown by its label. */
const chosen = ({ children = [] }: FormElement): readonly string[] =>
  children.filter((option) => option?.attributes?.["selected"] === true).map((option) => option?.value ?? "");
