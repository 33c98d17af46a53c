import type { Explanation } from "../../../readModels/explanation.js";
import type { CustomProperty } from "../../../events/document.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import {
  bonusOfTitle,
  explainedBy,
  explainedFusion,
  scoredByPassage,
  scoredWord,
  type ScoredHit,
  type ScoredWord,
} from "../explanations.js";
import type { RankedDocument } from "./candidates.js";
import type { Collection } from "./collection.js";
import { frequencyAt } from "./growingPostings.js";
import { languageWorths } from "./columnNumbers.js";
import type { SettledDocuments } from "./longDocuments.js";
import type { SqliteQuery, SqliteWay, SqliteWord } from "./visibleWords.js";
import { Scores, type WeighedPostings, type Weighing } from "./scores.js";
import type { MatchingTitles } from "./titleMatches.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";
import type { Language } from "../../../shared/texts.js";

/** What counts beside the words: titles that meet the query, and neighbours in a name. */
export type WeighedBeside = WeighedPostings & Partial<Pick<MatchingTitles, "match">>;

/** A search that has ranked its documents. */
interface RankedSearch {
  readonly query: SqliteQuery;
  readonly weighing: Weighing;
  readonly together: readonly WeighedBeside[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  readonly settled: SettledDocuments;
  readonly near: FoundByMeaning;
}

interface PropertiesRow {
  readonly customProperties: string | null;
  readonly searchable: string;
}

/** One document on its own, for what scores documents by slot. */
const alone = Int32Array.of(0);

/**
 * Tells why hits are where they are. What a search has scored is scored once more for the hit alone, word by word, by
 * the same code: `Scores`, or what settles long documents. Call it in the search's read transaction.
 */
export class HitExplanations {
  private readonly scores = new Scores();
  private readonly properties;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    this.properties = database.prepare<[number], PropertiesRow>(
      `SELECT d.custom_properties AS customProperties, s.searchable
       FROM documents d JOIN datasources s ON s.id = d.datasource WHERE d.row = ?`,
    );
  }

  /** For one search. */
  of(search: RankedSearch): (document: RankedDocument) => Explanation {
    const { words, typed } = search.query;
    const terms = words.flatMap(({ alternatives }) => alternatives.flatMap(termsOf));
    const explained = explainedBy(typed, terms);
    const worths = languageWorths(search.readers);
    return (document) => {
      const { slot } = document;
      const { columns } = this.collection;
      const row = this.properties.get(columns.rows[slot] as number);
      return explained({
        document,
        described: { ...document.summary, customProperties: parsed<CustomProperty>(row?.customProperties) },
        searchable: new Set(parsed<string>(row?.searchable)),
        fusion: search.near.isNothing ? undefined : explainedFusion(search.near.placesOf(slot)),
        ...this.scoredParts(search, slot, worths[columns.languages[slot] as number] as number),
      });
    };
  }

  private scoredParts(
    search: RankedSearch,
    slot: number,
    languageFactor: number,
  ): Pick<ScoredHit, "scored" | "words" | "bonuses"> {
    const { near, settled, together } = search;
    if (near.passageOf(slot) !== null) return { scored: { scored: "meaning", languageFactor }, words: [], bonuses: [] };
    const best = settled.settledBy(slot);
    const worthBeside =
      best === null
        ? (each: WeighedBeside) => this.scoreOf([each], slot, search)
        : (each: WeighedBeside) => settled.worthBeside(each, slot);
    const bonuses = together.map((each) => ({
      bonus: each.match === undefined ? ("name_together" as const) : bonusOfTitle[each.match],
      score: worthBeside(each),
    }));
    if (best === null) {
      const words = search.query.words.map((word) => this.wordOf(word, slot, search));
      return { scored: { scored: "document", languageFactor }, words, bonuses };
    }
    const { scored, words } = scoredByPassage(best, search.query.words, termsOf);
    return { scored: { ...scored, languageFactor }, words, bonuses };
  }

  private wordOf(word: SqliteWord, slot: number, search: RankedSearch): ScoredWord {
    const scored = scoredWord(word, termsOf, (way) => ({
      times: frequencyAt(way.postings, slot),
      score: this.scoreOf([way], slot, search),
    }));
    return { ...scored, score: this.scoreOf(word.alternatives, slot, search, word.areDisjoint) };
  }

  /** What a search adds to a document for these. */
  private scoreOf(
    ways: readonly WeighedPostings[],
    slot: number,
    { weighing: { bm25, lengths } }: RankedSearch,
    areDisjoint = true,
  ): number {
    const alternatives = ways.flatMap(({ postings, factor }) => {
      const frequency = frequencyAt(postings, slot);
      const frequencies = Uint8ClampedArray.of(frequency);
      return frequency === 0 ? [] : [{ postings: { slots: alone, frequencies, size: 1 }, factor }];
    });
    this.scores.begin(1);
    this.scores.addWords([{ alternatives, areDisjoint, isAsked: false }], {
      bm25,
      lengths: lengths.subarray(slot, slot + 1),
      wanted: null,
    });
    return this.scores.bySlot[0] as number;
  }
}

const termsOf = ({ term, parts }: SqliteWay): readonly string[] => parts?.flat() ?? [term];

const parsed = <Item>(json: string | null | undefined): readonly Item[] =>
  json === null || json === undefined ? [] : (JSON.parse(json) as readonly Item[]);
