import { titleWordsOf, type TypedTitle } from "../../../analysis/suggesting.js";
import { titleMatchOf, titleMatchWorth, titleSoughtBy, type TitleMatch } from "../../../analysis/titleMatches.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { GrowingPostings } from "./growingPostings.js";
import type { WeighedPostings } from "./scores.js";
import type { SearchBudget } from "./searchBudget.js";
import { titlesBeginningWith, titlesOpeningWith } from "./titleRows.js";
import type { Visibility } from "./visibility.js";

/** So many titles that are the query, and so many that begin with it, come first at most, the newest: ten pages. */
const mostMatches = 100;

interface TitleQuestion {
  readonly query: string;
  /** The weight of all words of the query. */
  readonly weight: number;
  readonly visibility: Visibility;
  readonly budget: SearchBudget;
}

/** Documents whose titles meet the query in this way. */
export interface MatchingTitles extends WeighedPostings {
  readonly match: TitleMatch;
}

interface Matches {
  readonly begins: Set<number>;
  readonly is: Set<number>;
}

/**
 * Finds the titles that begin with a query, as a further way to be found. Titles that the person may not see count
 * towards no bound. Call it in the read transaction in which the collection was refreshed.
 */
export class TitleMatches {
  private readonly any;
  private readonly rows;
  private readonly title;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.any = database.prepare<[string], number>("SELECT rowid FROM titles WHERE titles MATCH ? LIMIT 1").pluck();
    this.rows = database
      .prepare<[string], number>("SELECT rowid FROM titles WHERE titles MATCH ? ORDER BY rowid DESC")
      .pluck();
    this.title = database.prepare<[number], string>("SELECT title FROM documents WHERE row = ?").pluck();
  }

  of(question: TitleQuestion): readonly MatchingTitles[] {
    const sought = titleSoughtBy(question.query);
    if (sought === null || !this.mayBeginWith(sought)) return [];
    const found: Matches = { begins: new Set(), is: new Set() };
    const isWhole = this.look(sought, "begins", question, found);
    if (!isWhole || (sought.words.length === 1 && found.begins.size > 0)) this.look(sought, "is", question, found);
    return (["begins", "is"] as const)
      .filter((match) => found[match].size > 0)
      .map((match) => ({
        match,
        postings: postingsOf(found[match]),
        factor: titleMatchWorth[match] * question.weight,
      }));
  }

  /** The title of the document in a slot. */
  titleAt(slot: number): string {
    return this.title.get(this.collection.columns.rows[slot] as number) ?? "";
  }

  /** One list answers this, while a search for all words opens as many lists. A single word needs no such look. */
  private mayBeginWith(sought: TypedTitle): boolean {
    return sought.words.length === 1 || this.any.get(titlesOpeningWith(sought)) !== undefined;
  }

  /**
   * Returns whether all titles were looked at. A title that is the query also begins with it. For a query of a single
   * word the lists are enough; for several words titles have to be read.
   */
  private look(
    sought: TypedTitle,
    match: keyof Matches,
    { visibility, budget }: TitleQuestion,
    found: Matches,
  ): boolean {
    for (const row of this.rows.iterate(titlesBeginningWith(sought, match === "is"))) {
      const slot = this.collection.slotOf(row, 0);
      if (slot < 0 || !visibility.shows(slot)) continue;
      const how = sought.words.length === 1 ? match : titleMatchOf(sought, titleWordsOf(this.title.get(row) ?? ""));
      if (how !== null) found.begins.add(slot);
      if (how === "is") found.is.add(slot);
      if (found[match].size >= mostMatches) return false;
      if (!budget.isOver) continue;
      budget.leaveOut();
      return true;
    }
    return true;
  }
}

function postingsOf(slots: ReadonlySet<number>): GrowingPostings {
  const postings = new GrowingPostings();
  for (const slot of [...slots].sort((a, b) => a - b)) postings.push(slot, 1);
  return postings;
}
