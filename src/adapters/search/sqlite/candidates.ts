import type { Language } from "../../../analysis/language.js";
import type { Candidate } from "../../../analysis/nearness.js";
import { passagesAbout, type SoughtWord } from "../../../analysis/snippet.js";
import type { SearchHit } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { cardColumns, cardTables, toHitSummary, type HitSummaryRow } from "./cards.js";
import { partsPerDocument } from "./schema.js";

type CandidateRow = HitSummaryRow & { readonly language: Language | null; readonly text: string | null };

/** A ranked document with the first part of its text. */
export interface RankedDocument extends Candidate {
  readonly slot: number;
  readonly score: number;
  readonly card: HitSummaryRow;
}

/** Reads ranked documents. Give it only visible ones. */
export class Candidates {
  private readonly select;

  constructor(database: SqliteDatabase) {
    this.select = database.prepare<[number], CandidateRow>(
      `SELECT ${cardColumns}, d.language, t.text FROM ${cardTables} LEFT JOIN texts t ON t.part = d.row * ${partsPerDocument} WHERE d.row = ?`,
    );
  }

  read(row: number, slot: number, score: number): RankedDocument {
    const card = this.select.get(row);
    if (card === undefined) throw new Error(`The search index ranked row ${row}, which it does not hold.`);
    return { slot, score, card, title: card.title, text: card.text ?? "", language: card.language };
  }
}

/** Turns documents into hits, each with the passage that says most about the words. */
export function hitsFor(words: readonly SoughtWord[]): (document: RankedDocument) => SearchHit {
  const passageOf = passagesAbout(words);
  return (document) => ({ ...toHitSummary(document.card), snippet: passageOf(document), score: document.score });
}
