import { titleWordsOf, type TypedTitle } from "../../../analysis/suggesting.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { heldTerms, markedTerms, titleMarks, type Meeting } from "../titleTerms.js";

/** A title's first words as one, so many of them: hardly any titles share them, however common each word is. */
const openings = [
  { mark: "f", words: 4 },
  { mark: "c", words: 2 },
  { mark: titleMarks.begins, words: 1 },
] as const;

/** The words of titles, for beginnings of words as they are typed. Call inside a write transaction. */
export class TitleRows {
  private readonly insert;
  private readonly delete;

  constructor(database: SqliteDatabase) {
    this.insert = database.prepare("INSERT INTO titles (rowid, words) VALUES (?, ?)");
    this.delete = database.prepare("DELETE FROM titles WHERE rowid = ?");
  }

  add(row: number, title: string): void {
    const read = titleWordsOf(title);
    const { words } = read;
    if (words.length === 0) return;
    const number = titleMarks.number + words.length;
    this.insert.run(row, [number, ...openingsOf(words), ...heldTerms(read)].join(" "));
  }

  /** No error where it has no words. */
  remove(row: number): void {
    this.delete.run(row);
  }
}

/**
 * The FTS5 expression for titles that hold all of these words, the last one as a beginning where it `isOpen`, and that
 * begin with the first of them where they have to.
 */
export function titlesWith(words: readonly string[], isOpen: boolean, meeting: Meeting): string {
  const last = words.length - 1;
  const conditions = words.map((word, index) => condition(titleMarks.holds + word, isOpen && index === last));
  if (meeting === "begins") conditions.unshift(condition(`${titleMarks.begins}${words[0]}`, isOpen && last === 0));
  return conditions.join(" AND ");
}

/** The longest first. */
const openingsOf = (words: readonly string[]): readonly string[] =>
  openings
    .filter((opening) => opening.words <= words.length)
    .map((opening) => opening.mark + words.slice(0, opening.words).join(""));

/** The FTS5 expression for all titles that may begin with what was typed, and others. */
export function titlesOpeningWith({ words, isOpen }: TypedTitle): string {
  const [opening = ""] = openingsOf(words);
  return condition(opening, isOpen && openings.some((each) => each.words === words.length));
}

/**
 * The FTS5 expression for titles that begin with the first of these words, and hold the others; where they are to be
 * `whole`, with no word more. A word that stands there twice, or elsewhere, meets it too.
 */
export function titlesBeginningWith(typed: TypedTitle, whole: boolean): string {
  const { words, marked } = typed;
  const isOpen = typed.isOpen && !whole;
  const conditions = [
    titlesOpeningWith({ ...typed, isOpen }),
    ...words.slice(1).map((word, index) => condition(titleMarks.holds + word, isOpen && index === words.length - 2)),
    ...markedTerms(marked).map((term) => condition(term)),
    ...(whole ? [condition(titleMarks.number + words.length)] : []),
  ];
  return conditions.join(" AND ");
}

const condition = (term: string, goesOn = false): string => `"${term}"${goesOn ? " *" : ""}`;
