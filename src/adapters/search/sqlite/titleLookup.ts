import { meetingOf, type TypedText } from "../../../analysis/suggesting.js";
import type { SuggestedTitle } from "../../../readModels/search.js";
import { toSearchId } from "../../../shared/ids.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Meeting } from "../titleTerms.js";
import type { OpenRows } from "./openRows.js";
import { titlesWith } from "./titleRows.js";

/** The titles of so many of the person's documents are read at most, the newest first: a millisecond. */
const mostRead = 200;

interface TitleRow {
  readonly title: string;
  readonly datasource: string;
  readonly documentId: string;
}

type MeetingTitle = SuggestedTitle & { readonly meeting: Meeting | null };

/** Finds titles that meet what is being typed, among what a person may see. */
export class TitleLookup {
  private readonly rowsWith;
  private readonly select;

  constructor(database: SqliteDatabase, openRows: OpenRows) {
    this.rowsWith = openRows.prepare("titles");
    this.select = database.prepare<[number], TitleRow>(
      `SELECT d.title, s.name AS datasource, d.document_id AS documentId
       FROM documents d JOIN datasources s ON s.id = d.datasource WHERE d.row = ?`,
    );
  }

  /**
   * Titles that begin with what was typed, then those that hold its words, the newest first. What several documents are
   * called is told once, of the newest. Call it in the snapshot for which the rows were opened.
   *
   * @param few all rows of the person, the newest first, where these are few; else null.
   */
  of(typed: TypedText, most: number, few: readonly number[] | null): readonly SuggestedTitle[] {
    const found = new Map<string, SuggestedTitle>();
    const known = few?.map((row) => this.read(row, typed));
    for (const meeting of ["begins", "holds"] as const) {
      for (const { title, id, meeting: how } of known ?? this.lookUp(typed, meeting)) {
        if (found.size >= most) break;
        if (how !== null && (how === meeting || how === "begins") && !found.has(title.toLowerCase()))
          found.set(title.toLowerCase(), { title, id });
      }
    }
    return [...found.values()];
  }

  private *lookUp(typed: TypedText, meeting: Meeting): Generator<MeetingTitle> {
    for (const row of this.rowsWith(titlesWith(typed.words, typed.isOpen, meeting), mostRead))
      yield this.read(row, typed);
  }

  private read(row: number, typed: TypedText): MeetingTitle {
    const { title, datasource, documentId } = this.select.get(row) as TitleRow;
    return { title, id: toSearchId(datasource, documentId), meeting: meetingOf(typed, title) };
  }
}
