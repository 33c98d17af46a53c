import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { mostCompletions, shortestFirst } from "../../../analysis/completions.js";
import { foldDigraphs, looseSpellingsOf } from "../../../analysis/folding.js";
import { readableTextsOf } from "../../../analysis/searchedTexts.js";
import {
  completionsAsWritten,
  meetingOf,
  readTyped,
  type TypedText,
  type TypedWord,
} from "../../../analysis/suggesting.js";
import { examinedInTurns, WrittenForms } from "../../../analysis/writtenForms.js";
import { toSuggestions, type SuggestedTitle, type Suggestion } from "../../../readModels/search.js";
import type { SuggestRequest } from "../../../../queries/ports.js";
import { titleMarks } from "../titleTerms.js";
import type { Visibility } from "./accessFilter.js";
import type { EngineSearch, TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { engineTerm, engineWord, holdsAnyOf } from "./encoding.js";
import type { LexiconWord } from "../../../search/lexicon.js";
import { forEachFrequency, wordCode } from "./frequencies.js";
import type { FollowedLexicon } from "./lexiconRows.js";
import type { DocumentRow, StoredHitSummary, CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { partId, StoredTexts } from "./storedTexts.js";

/** How many words a beginning is completed by, the shortest. */
const mostProposed = 250;
/** How many documents are looked at, those whose titles meet what was typed first, then the newest. */
const mostExamined = 60;
/** The spelling of so many times as many words is looked up as are asked for: some turn out to be other words. */
const spareWords = 2;
/** In how many long documents the spelling is looked up where short ones do not show it. */
const mostLong = 5;
const rowFields = "id,position,card,text,parts,pages,tf,cls,ds";

interface Parts {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly directory: Directory;
  readonly served: ServedPosition;
  readonly followed: FollowedLexicon;
}

type Row = Pick<DocumentRow, "id" | "position" | "card" | "text" | "parts" | "pages" | "tf" | "cls" | "ds">;

/** A document that may be told of, and which of the sought words it holds. */
interface Examined {
  readonly row: Row;
  readonly card: StoredHitSummary;
  readonly holds: ReadonlySet<string>;
}

/** What may complete a word, by the words that documents write. */
interface Completed {
  readonly words: readonly LexiconWord[];
  readonly typed: TypedWord;
  /** What stands before the word, by the words of documents: a document has to hold one of each. */
  readonly before: readonly (readonly string[])[];
}

/**
 * Completes what is being typed from titles and words of documents that a person may see, in one question to the
 * engine: the lexicon proposes words, and a word is told where a document holds it that passes the person's filter now.
 */
export class Suggestions {
  private readonly texts: StoredTexts;

  constructor(private readonly parts: Parts) {
    this.texts = new StoredTexts(parts.connection, parts.names.texts);
  }

  /** `visible` is called once more where datasources or access classes have changed meanwhile. */
  async of(
    { query, count }: Pick<SuggestRequest, "query" | "count">,
    visible: () => Visibility,
  ): Promise<readonly Suggestion[]> {
    const typed = readTyped(query);
    if (typed === null) return [];
    const { followed, directory } = this.parts;
    await followed.open();
    let visibility = visible();
    let found = await this.find(typed, visibility);
    if (found.hasNews || found.stamp !== visibility.stamp) {
      await directory.refresh();
      visibility = visible();
      found = await this.find(typed, visibility);
    }
    const titles = titlesAmong(found.examined, typed);
    const words = await this.words(found.completed, found.examined, count);
    return toSuggestions(titles, words, count);
  }

  /** The documents that may complete what was typed; with the stamp of the access under which they were found. */
  private async find(typed: TypedText, visibility: Visibility) {
    const { served, followed } = this.parts;
    const completed = typed.completed.map((word) => ({
      ...{ typed: word, words: this.proposalsFor(word), before: this.wordsBefore(word) },
    }));
    const asked = visibility.filter === null ? [] : [this.searchFor(typed, completed, visibility.filter)];
    const { answers, state } = await served.ask<Row>([followed.newsSearch(), ...asked]);
    const hasNews = await followed.take(answers[0], state);
    const rows = (answers[1]?.hits ?? []).map(({ document }) => document);
    const holdsIn = this.holding(completed.flatMap(({ words }) => words));
    const examined = rows
      .filter(({ cls, ds, id }) => visibility.shows(cls, ds, id))
      .map((row): Examined => ({ row, card: JSON.parse(row.card) as StoredHitSummary, holds: holdsIn(row) }));
    return { completed, examined, stamp: state.stamp, hasNews };
  }

  private proposalsFor({ beginnings }: TypedWord): readonly LexiconWord[] {
    const { lexicon } = this.parts.followed;
    const words = beginnings.flatMap((beginning) => lexicon.completing(beginning, mostProposed));
    const distinct = [...new Map(words.map((word) => [word.word, word])).values()];
    return distinct.sort((a, b) => shortestFirst(a.word, b.word)).slice(0, mostProposed);
  }

  private searchFor(typed: TypedText, completed: readonly Completed[], filter: string): EngineSearch {
    const { begins, holds } = this.titleConditions(typed);
    const words = completed.flatMap(({ words: some }) => some.flatMap(({ forms }) => forms));
    const held = words.length === 0 ? null : holdsAnyOf(words.map(engineTerm));
    const before = completed.at(-1)?.before ?? [];
    const order = [
      `(${begins}):4`,
      `(${holds}):3`,
      ...(held === null || before.length === 0 ? [] : [`(${[held, ...before.map(holdsOne)].join(" && ")}):2`]),
    ];
    return {
      ...{
        collection: this.parts.names.documents,
        q: "*",
        filter_by: `${filter} && (${[`(${holds})`, ...(held === null ? [] : [held])].join(" || ")})`,
      },
      ...{ sort_by: `_eval([${order.join(",")}]):desc,position:desc` },
      ...{ include_fields: rowFields, per_page: mostExamined },
    };
  }

  /** Passed by documents with all words in their titles, the last as a beginning; `begins`: the first of them first. */
  private titleConditions({ words, last, isOpen }: TypedText): Readonly<Record<"begins" | "holds", string>> {
    const { lexicon } = this.parts.followed;
    const others = isOpen
      ? spelledOtherwise(last).flatMap((beginning) => lexicon.completing(beginning, mostProposed))
      : [];
    const ends = [words.at(-1) ?? "", ...others.map(({ word }) => foldDigraphs(word))].slice(0, mostProposed);
    const oneOf = (mark: string, some: readonly string[]): string =>
      `t:[${[...new Set(some.map((word) => mark + engineWord(word)))].join(",")}]`;
    const before = words.slice(0, -1).map((word) => oneOf(titleMarks.holds, [word]));
    const [first] = words.length === 1 ? [] : words;
    const begins = first === undefined ? oneOf(titleMarks.begins, ends) : oneOf(titleMarks.begins, [first]);
    const holds = [...before, oneOf(titleMarks.holds, ends)].join(" && ");
    return { begins: first === undefined ? begins : `${begins} && ${holds}`, holds };
  }

  private wordsBefore({ before }: TypedWord): readonly (readonly string[])[] {
    const { lexicon } = this.parts.followed;
    return analyseQuery(before).words.map(({ terms }) =>
      terms.flatMap((term) => lexicon.formsOfTerm(term)).map(engineTerm),
    );
  }

  /** Makes the function that tells which of these words a document holds. */
  private holding(words: readonly LexiconWord[]): (row: Row) => ReadonlySet<string> {
    const byCode = new Map<number, string>();
    for (const { word, forms } of words) for (const form of forms) byCode.set(wordCode(engineTerm(form)), word);
    return ({ tf }) => {
      const held = new Set<string>();
      forEachFrequency(tf, (code) => {
        const word = byCode.get(code);
        if (word !== undefined) held.add(word);
      });
      return held;
    };
  }

  /** What was typed, its last word completed: by the first way to read it that leads to any. */
  private async words(
    completed: readonly Completed[],
    examined: readonly Examined[],
    count: number,
  ): Promise<readonly string[]> {
    for (const one of completed) {
      const { typed } = one;
      const held = heldWords(one, examined).slice(0, Math.min(count * spareWords, mostCompletions));
      const forms = await this.formsOf(held, examined);
      const written = completionsAsWritten(typed, held, forms).slice(0, count);
      if (written.length > 0) return written;
    }
    return [];
  }

  /** How the newest documents write these words. The beginning of long ones is read where no other shows it. */
  private async formsOf(held: readonly string[], examined: readonly Examined[]): Promise<WrittenForms> {
    const forms = new WrittenForms(held);
    const examine = ({ card }: Examined, text: string, words: readonly string[]): void => {
      if (!forms.isExhausted) forms.examine(readableTextsOf({ ...card, text }), words);
    };
    const newest = newestFirst(examined);
    const writers = held.map((word) => ({ word, documents: newest.filter(({ holds }) => holds.has(word)) }));
    const turns = [...examinedInTurns(writers)];
    for (const [one, words] of turns) examine(one, one.row.text ?? "", words);
    const isMissing = (word: string): boolean => forms.mostFrequent(word) === null;
    const long = turns.filter(([{ row }, words]) => row.text === undefined && words.some(isMissing)).slice(0, mostLong);
    if (long.length === 0) return forms;
    const parts = await this.texts.parts(long.map(([{ row }]) => ({ document: row, numbers: [0] })));
    for (const [one, words] of long) examine(one, parts.get(partId(one.row.id, 0)) ?? "", words);
    return forms;
  }
}

/** Passed by documents that hold one of these words; by none where there are none. */
const holdsOne = (words: readonly string[]): string => holdsAnyOf(words.length > 0 ? words : ["none"]);

/** How a word may be spelled that begins so: with a digraph, too, where it has the vowel alone (`mull`, Muellplatz). */
function spelledOtherwise(typed: string): readonly string[] {
  const spellings = looseSpellingsOf(typed);
  const vowels = spellings.flatMap((word) =>
    [...word.matchAll(/[aou](?!e)/g)].map(({ index }) => [word, index] as const),
  );
  return [...new Set([...spellings, ...vowels.map(([word, at]) => `${word.slice(0, at + 1)}e${word.slice(at + 1)}`)])];
}

const newestFirst = (examined: readonly Examined[]): readonly Examined[] =>
  examined.toSorted((a, b) => b.row.position - a.row.position);

/** Titles that begin with what was typed, then those that hold its words, each once. */
function titlesAmong(examined: readonly Examined[], typed: TypedText): readonly SuggestedTitle[] {
  const newest = newestFirst(examined).map(({ card }) => ({ card, meeting: meetingOf(typed, card.title) }));
  const meeting = (kind: "begins" | "holds") => newest.filter((one) => one.meeting === kind);
  const told = new Map<string, SuggestedTitle>();
  for (const { card } of [...meeting("begins"), ...meeting("holds")]) {
    const key = card.title.toLowerCase();
    if (!told.has(key)) told.set(key, { title: card.title, id: card.id });
  }
  return [...told.values()];
}

/** Words in documents that hold what was typed before, those of most documents first; then in any, shortest first. */
function heldWords({ words, before }: Completed, examined: readonly Examined[]): readonly string[] {
  const sought = before.map((some) => new Set(some.map(wordCode)));
  const holdsBefore = ({ row }: Examined): boolean => {
    if (sought.length === 0) return true;
    const left = new Set(sought);
    forEachFrequency(row.tf, (code) => {
      for (const codes of left) if (codes.has(code)) left.delete(codes);
    });
    return left.size === 0;
  };
  const beside = examined.filter(holdsBefore);
  const timesIn = (some: readonly Examined[], word: string): number =>
    some.filter(({ holds }) => holds.has(word)).length;
  const counted = words.map(({ word }) => ({ word, times: timesIn(beside, word) }));
  const together = counted
    .filter(({ times }) => times > 0)
    .sort((a, b) => b.times - a.times || shortestFirst(a.word, b.word));
  const known = new Set(together.map(({ word }) => word));
  const elsewhere = words.map(({ word }) => word).filter((word) => !known.has(word) && timesIn(examined, word) > 0);
  return [...together.map(({ word }) => word), ...elsewhere];
}
