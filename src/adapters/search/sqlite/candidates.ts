import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { Language } from "../../../shared/texts.js";
import type { Candidate, TextRange } from "../../../analysis/nearness.js";
import { searchedNamesOf } from "../../../analysis/searchedTexts.js";
import { showsPhraseOf, type PassageSource } from "../../../analysis/snippet.js";
import { correctionsAsWritten } from "../../../analysis/writtenForms.js";
import type { Explanation } from "../../../readModels/explanation.js";
import type { SearchPage } from "../../../readModels/search.js";
import { partsWith, withinParts } from "../../../shared/textParts.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { excerptsAbout } from "../excerpts.js";
import { hitSummaryColumns, hitSummaryTables, toHitSummary, type HitSummaryRow } from "./hitSummaryRows.js";
import type { SqliteQuery } from "./visibleWords.js";
import { firstPartOf } from "./schema.js";

type CandidateRow = HitSummaryRow & { readonly language: Language | null; readonly mimeType: string };

/** A ranked document with its text, or with the part of a long one that its best passage is in. */
export interface RankedDocument extends Candidate {
  readonly slot: number;
  readonly score: number;
  /** Only where nearness is part of the score. */
  readonly hasNearness?: true;
  readonly summary: HitSummaryRow;
  readonly mimeType: string;
}

/** What is known of a document that is to be read. */
interface Place {
  readonly row: number;
  readonly slot: number;
  readonly score: number;
  /** Where its best passages stand, the best first; empty: its beginning is read. */
  readonly passages: readonly TextRange[];
}

/** Reads ranked documents. Give it only visible ones. */
export class Candidates {
  private readonly summary;
  private readonly parts;

  constructor(database: SqliteDatabase) {
    this.summary = database.prepare<[number], CandidateRow>(
      `SELECT ${hitSummaryColumns}, d.language, d.mime_type AS mimeType FROM ${hitSummaryTables} WHERE d.row = ?`,
    );
    this.parts = database
      .prepare<[number, number], string>("SELECT text FROM texts WHERE part BETWEEN ? AND ? ORDER BY part")
      .pluck();
  }

  /** @param phrases of several passages the first one counts that shows one of these. */
  read({ row, slot, score, passages }: Place, phrases: readonly QueryPhrase[]): RankedDocument {
    const summary = this.summary.get(row);
    if (summary === undefined) throw new Error(`The search index ranked row ${row}, which it does not hold.`);
    const { title, language, mimeType } = summary;
    const names = searchedNamesOf(summary).map((name) => name.text);
    return { slot, score, summary, mimeType, title, names, language, ...this.textOf(row, passages, phrases, language) };
  }

  private textOf(
    row: number,
    passages: readonly TextRange[],
    phrases: readonly QueryPhrase[],
    language: Language | null,
  ): Pick<PassageSource, "text" | "passage"> {
    const [best, ...others] = passages;
    if (best === undefined) return { text: this.join(row, 0, 0) };
    if (others.length === 0) return this.around(row, best);
    const showsPhrase = showsPhraseOf(phrases);
    const showing = passages.find((passage) => showsPhrase({ ...this.around(row, passage), language }));
    return this.around(row, showing ?? best);
  }

  private around(row: number, place: TextRange): { readonly text: string; readonly passage: TextRange } {
    const { first, last } = partsWith(place);
    const text = this.join(row, first, last);
    return { text, passage: withinParts(place, first, text) };
  }

  private join(row: number, first: number, last: number): string {
    return this.parts.all(firstPartOf(row) + first, firstPartOf(row) + last).join("");
  }
}

interface Presenting {
  readonly phrases: readonly QueryPhrase[];
  readonly passages: true | undefined;
  /** undefined: hits do not say why they are where they are. */
  readonly explanationOf: ((document: RankedDocument) => Explanation) | undefined;
}

/**
 * The hits of a page, each with what says most about the words, and shows one of the phrases; and what was corrected.
 */
export function presented(
  documents: readonly RankedDocument[],
  { words, corrected }: Pick<SqliteQuery, "words" | "corrected">,
  { phrases, passages, explanationOf }: Presenting,
): Pick<SearchPage, "hits" | "corrected"> {
  const sought = words.map((word) => word.sought);
  const excerptsOf = excerptsAbout(sought, phrases, passages);
  return {
    hits: documents.map((document) => ({
      ...toHitSummary(document.summary),
      ...excerptsOf(document),
      score: document.score,
      ...(explanationOf && { explanation: explanationOf(document) }),
    })),
    ...(corrected.length > 0 && { corrected: correctionsAsWritten(corrected, documents) }),
  };
}
