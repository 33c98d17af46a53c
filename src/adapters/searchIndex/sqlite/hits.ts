import type { Language } from "../../../analysis/language.js";
import { bestPassage, type SoughtWord } from "../../../analysis/snippet.js";
import type { SearchHit } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { cardColumns, cardTables, toCard, type CardRow } from "./cards.js";
import { firstPartOf } from "./textParts.js";

type HitRow = CardRow & { readonly language: Language | null };

/** Reads what is shown of ranked documents. Give it visible rows only. */
export class Hits {
  private readonly card;
  private readonly text;

  constructor(database: SqliteDatabase) {
    this.card = database.prepare<[number], HitRow>(`SELECT ${cardColumns}, d.language FROM ${cardTables} WHERE d.row = ?`);
    this.text = database.prepare<[number], string>("SELECT text FROM texts WHERE part = ?").pluck();
  }

  hit(row: number, score: number, words: readonly SoughtWord[]): SearchHit {
    const found = this.card.get(row);
    if (found === undefined) throw new Error(`The search index ranked row ${row}, which it does not hold.`);
    const snippet = bestPassage({ text: this.text.get(firstPartOf(row)) ?? "", language: found.language, words });
    return { ...toCard(found), snippet, score };
  }
}
