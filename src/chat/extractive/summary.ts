import type { Evidence } from "../chat.js";
import { keyOf, type Quotation } from "./quotations.js";
import { isTitled } from "./summaryRequest.js";
import { headingsOf, type Heading } from "../../analysis/headings.js";
import { passagesOf } from "../../analysis/passages.js";

/** An answer tells of so many sections of all that it sums up. */
const mostSections = 12;

/** An answer sums up so many files. */
const mostSources = 4;

/**
 * The evidence that an answer sums up: some files that the subject names, any of them where it is empty. Where there is
 * no such file, it is one document, and without that one page of the web. Nothing where no title fits the subject.
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
 * At most so many sections: whole levels, the outermost first, as far as they fit. Where those fill less than half,
 * sections are taken evenly from the next level and those outside it.
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

/** A section of a text, with how it begins. */
interface Section {
  /** The headings above it, outermost first; empty where there is none. */
  readonly headings: readonly string[];
  /** 1 is the outermost; 0 is a text without headings, or before the first. */
  readonly level: number;
  /** Its first sentence, or two where the first is short, as they stand in the text. */
  readonly lead: string;
}

/** So much of a text is looked at. */
const mostCharacters = 1_000_000;
/** A text with fewer headings of its own is looked at for short lines that stand as such. */
const fewestHeadings = 2;

/**
 * The sections of a text that say something, in their order: below headings as the search knows them, else below short
 * lines, else the passages that the text is cut into.
 */
export function sectionsOf(whole: string): readonly Section[] {
  const text = whole.slice(0, mostCharacters);
  const marked = [...headingsOf(text)];
  const headings = marked.length >= fewestHeadings ? marked : shortLines(text);
  return headings.length >= fewestHeadings ? sectionsBelow(text, headings) : passagesAround(text, marked);
}

function sectionsBelow(text: string, headings: readonly Heading[]): readonly Section[] {
  const before = sectionOf(text.slice(0, headings[0]?.start), [], 0);
  let above: readonly Heading[] = [];
  let silentAbove = Infinity;
  const below = headings.flatMap((heading, at) => {
    above = [...above.filter(({ level }) => level < heading.level), heading];
    // The first that says something stands for the headings above it that say nothing.
    const level = Math.min(heading.level, silentAbove);
    const found = sectionOf(text.slice(heading.end, headings[at + 1]?.start), namesOf(above), level);
    const next = headings[at + 1]?.level ?? 0;
    silentAbove = found.length === 0 && next > heading.level ? level : Infinity;
    return found;
  });
  return [...before, ...below];
}

const namesOf = (headings: readonly Heading[]): readonly string[] => headings.map(({ text }) => text);

/** The passages of a text with one heading at most: those after it stand below it. */
function passagesAround(text: string, headings: readonly Heading[]): readonly Section[] {
  const { start = 0, end = 0 } = headings[0] ?? {};
  const sectionsIn = (stretch: string, above: readonly Heading[]): readonly Section[] =>
    passagesOf(stretch).flatMap((passage) => sectionOf(passage.text, namesOf(above), 0));
  return [...sectionsIn(text.slice(0, start), []), ...sectionsIn(text.slice(end), headings)];
}

function sectionOf(body: string, headings: readonly string[], level: number): readonly Section[] {
  const lead = leadOf(body);
  return lead === "" ? [] : [{ headings, level, lead }];
}

const longestHeading = 80;
/** A line right above its text is told from one of the text by being much shorter. */
const shareOfNext = 0.6;
const endsSentence = /[.,;:!?…]$/;

/**
 * Short lines that begin a paragraph, end no sentence, and have a text below them: on the next line, or after a blank
 * one. They are all of one level.
 */
function shortLines(text: string): readonly Heading[] {
  const found: Heading[] = [];
  let candidate: Heading | null = null;
  for (const { start, lines } of paragraphsOf(text)) {
    const [first = "", next] = lines;
    const mayHead = isShortLine(first);
    const heading = { start, end: start + first.length, level: 1, text: first.trim() };
    if (candidate !== null && !(mayHead && next === undefined)) found.push(candidate);
    candidate = mayHead && next === undefined ? heading : null;
    if (mayHead && next !== undefined && first.length < next.length * shareOfNext) found.push(heading);
  }
  return found;
}

function isShortLine(line: string): boolean {
  const text = line.trim();
  return (
    text.length <= longestHeading &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) &&
    /\p{L}/u.test(text) &&
    !endsSentence.test(text)
  );
}

interface Paragraph {
  readonly start: number;
  readonly lines: readonly string[];
}

/** The paragraphs of a text, which blank lines part. */
function* paragraphsOf(text: string): Generator<Paragraph, void, void> {
  let [start, lines]: [number, string[]] = [0, []];
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.trim() !== "") {
      if (lines.length === 0) start = at;
      lines.push(line);
    } else if (lines.length > 0) {
      yield { start, lines };
      lines = [];
    }
    at += line.length + 1;
  }
  if (lines.length > 0) yield { start, lines };
}

/** So much of a section is looked at for its first sentences. */
const looked = 2_000;
const longestLead = 400;
/** A shorter sentence says too little by itself. */
const shortLead = 80;

/** The first sentences of the first paragraph that holds a word. */
function leadOf(body: string): string {
  const beginning = body.slice(0, looked);
  for (const { start, lines } of paragraphsOf(beginning)) {
    const paragraph = lines.join("\n");
    if (!/[\p{L}\p{N}]/u.test(paragraph)) continue;
    return firstSentences(beginning.slice(start, start + paragraph.length).trim());
  }
  return "";
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const beginsItem = /^(?:[-*+•|>]|\d{1,3}[.)]\s)/;

function firstSentences(paragraph: string): string {
  // A line break within a sentence is only where its line was full; within a list it ends an item.
  const flowing = beginsItem.test(paragraph) ? paragraph : paragraph.replace(/[\r\n]/g, " ");
  let end = 0;
  for (const { segment, index } of sentences.segment(flowing)) {
    if (end > 0 && index + segment.trimEnd().length > longestLead) break;
    end = index + segment.length;
    if (end >= shortLead) break;
  }
  return withinBounds(paragraph.slice(0, end).trimEnd());
}

/** A sentence that is too long ends with a word. */
function withinBounds(lead: string): string {
  if (lead.length <= longestLead) return lead;
  const cut = lead.slice(0, longestLead).replace(/[\ud800-\udbff]$/, "");
  const blank = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
  return blank > longestLead / 2 ? cut.slice(0, blank) : cut;
}
