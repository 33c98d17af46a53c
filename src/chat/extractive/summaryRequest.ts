import { analyseQuery } from "../../analysis/analyseQuery.js";
import { foldWord } from "../../analysis/folding.js";
import { isStopWord } from "../../analysis/stopWords.js";

/** A longer question asks for more than a summary, or is the text itself. */
const longestRequest = 300;

/** One of each group, each by how it begins, asks for a summary. */
const askedBy: readonly (readonly (readonly string[])[])[] = [
  [["zusammenfass", "zusammengefasst", "zusammenzufassen", "kurzfassung", "inhaltsangabe", "uberblick"]],
  [["summari", "summary", "overview", "tldr"]],
  [["fass"], ["zusammen"]],
  [["sum"], ["up"]],
  [["worum"], ["geht", "gehts"]],
];

/** What people call the thing that is summed up, and how it is to be done: none of it says which one they mean. */
const generalWords: ReadonlySet<string> = new Set(
  `dokument dokuments dokumente datei dateien text texts textes texte anhang anlage pdf seite seiten inhalt inhalte
  bitte mal kurz kurze kurzen knapp knappe deutsch englisch hochgeladene hochgeladenen angehangte angehangten
  beigefugte beigefugten folgende folgenden wichtigste wichtigsten punkt punkte punkten stichpunkte stichpunkten
  stichworten satz satze satzen kapitel abschnitt abschnitte abschnitten abschnittsweise gib geben zeig zeige geht gehts
  document documents file files attachment attached uploaded page pages content contents paper please tl dr give
  short shortly brief briefly quick key main important point points bullet bullets sentence sentences section sections
  paragraph paragraphs words word make write show english german sum up
  zwei drei vier funf sechs zehn two three four five six ten`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * What a question names whose summary it asks for, such as the title of a document; empty where it names nothing, null
 * where it asks for something else.
 */
export function subjectOfSummary(question: string): string | null {
  if (question.length > longestRequest) return null;
  const words = Array.from(question.replaceAll(";", "").matchAll(/[\p{L}\p{N}]+/gu), ([word]) => word);
  const folded = words.map(foldWord);
  const asking = askedBy.find((group) => group.every((one) => folded.some((word) => beginsAs(word, one))));
  if (asking === undefined) return null;
  const ways = asking.flat();
  return words.filter((_, at) => namesSomething(folded[at] ?? "", ways)).join(" ");
}

const beginsAs = (word: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => word.startsWith(beginning));

/** A number says how long a summary is to be, more often than what it is of. */
const namesSomething = (word: string, ways: readonly string[]): boolean =>
  !beginsAs(word, ways) &&
  !generalWords.has(word) &&
  !/^\d{1,3}$/.test(word) &&
  !isStopWord(word, "de") &&
  !isStopWord(word, "en");

/** Whether a title holds every word of what a question names. */
export function isTitled(title: string, subject: string): boolean {
  const held = new Set(analyseQuery(title).words.flatMap(({ terms }) => terms));
  return analyseQuery(subject).words.every(({ terms }) => terms.some((term) => held.has(term)));
}
