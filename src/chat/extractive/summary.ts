import type { Evidence } from "../chat.js";
import { keyOf, type Quotation } from "./quotations.js";
import { sectionsOf, type Section } from "./sections.js";
import { isTitled } from "./summaryRequest.js";

/** An answer tells of so many sections of all that it sums up. */
const mostSections = 12;

/** An answer sums up so many files. */
const mostSources = 4;

/**
 * What is summed up of the evidence: the files that are named, or all of them where none is; without files the first
 * document of which the same is true, else the first page. Nothing where something is named that is not there.
 */
export function summedUp(subject: string, evidence: readonly Evidence[]): readonly Evidence[] {
  const named = evidence.filter(({ title }) => subject === "" || isTitled(title, subject));
  const kind = (["file", "document", "web"] as const).find((one) => named.some((each) => each.kind === one));
  const ofKind = named.filter((one) => one.kind === kind);
  const keys = [...new Set(ofKind.map(keyOf))];
  const chosen = new Set(keys.slice(0, kind === "file" ? mostSources : 1));
  return ofKind.filter((one) => chosen.has(keyOf(one)));
}

/** The sections of what is summed up, each with how it begins, in their order. */
export function summaryOf(evidence: readonly Evidence[]): readonly Quotation[] {
  const keys = [...new Set(evidence.map(keyOf))];
  const share = Math.floor(mostSections / Math.max(1, keys.length));
  return keys.flatMap((key) => {
    const parts = evidence.filter((one) => keyOf(one) === key);
    const sections = parts.flatMap((part) => sectionsOf(part.text).map((section) => ({ part, section })));
    return outline(sections, share).map(({ part, section }, at) => quotationOf(part, section, at > 0));
  });
}

interface SectionOfPart {
  readonly part: Evidence;
  readonly section: Section;
}

/**
 * So many sections of these: the outer levels, as far as they fit. Where one level alone has too many, some of it from
 * the beginning to the end.
 */
function outline(sections: readonly SectionOfPart[], most: number): readonly SectionOfPart[] {
  let kept: readonly SectionOfPart[] = [];
  for (const level of [...new Set(sections.map(({ section }) => section.level))].sort((one, other) => one - other)) {
    const next = sections.filter(({ section }) => section.level <= level);
    if (next.length > most) return kept.length >= most / 2 ? kept : spread(next, most);
    kept = next;
  }
  return kept;
}

const spread = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item);

function quotationOf(evidence: Evidence, { headings, lead }: Section, isContinued: boolean): Quotation {
  // Many texts begin with their title as the heading of all.
  const own = headings[0] === evidence.title ? headings.slice(1) : headings;
  return { evidence, heading: own.join(" › ") || null, text: lead, isContinued };
}
