import type { Language } from "../../../analysis/language.js";
import type { Candidate } from "../../../analysis/nearness.js";
import { passagesAbout, type SoughtWord } from "../../../analysis/snippet.js";
import type { SearchHit } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { hitSummaryColumns, hitSummaryTables, toHitSummary, type HitSummaryRow } from "./hitSummaryRows.js";
import { partsPerDocument } from "./schema.js";

type CandidateRow = HitSummaryRow & { readonly language: Language | null; readonly text: string | null };

/** A ranked document with the first part of its text. */
export interface RankedDocument extends Candidate {
  readonly slot: number;
  readonly score: number;
  readonly summary: HitSummaryRow;
}

/** Reads ranked documents. Give it only visible ones. */
export class Candidates {
  private readonly select;

  constructor(database: SqliteDatabase) {
    this.select = database.prepare<[number], CandidateRow>(
      `SELECT ${hitSummaryColumns}, d.language, t.text FROM ${hitSummaryTables} LEFT JOIN texts t ON t.part = d.row * ${partsPerDocument} WHERE d.row = ?`,
    );
  }

  read(row: number, slot: number, score: number): RankedDocument {
    const summary = this.select.get(row);
    if (summary === undefined) throw new Error(`The search index ranked row ${row}, which it does not hold.`);
    return { slot, score, summary, title: summary.title, text: summary.text ?? "", language: summary.language };
  }
}

/** Turns documents into hits, each with the passage that says most about the words. */
export function hitsFor(words: readonly SoughtWord[]): (document: RankedDocument) => SearchHit {
  const passageOf = passagesAbout(words);
  return (document) => ({ ...toHitSummary(document.summary), snippet: passageOf(document), score: document.score });
}
