import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { completionsInOrder, mostCompletions } from "../../../analysis/completions.js";
import { readableTextsOf } from "../../../analysis/searchedTexts.js";
import {
  completionsAsWritten,
  meetingOf,
  readTyped,
  type TypedText,
  type TypedWord,
} from "../../../analysis/suggesting.js";
import { examinedInTurns, WrittenForms, writersOfWord } from "../../../analysis/writtenForms.js";
import { toSuggestions, type SuggestedTitle, type Suggestion } from "../../../readModels/search.js";
import type { SuggestRequest } from "../../../../queries/ports.js";
import type { Visibility } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { engineSurface, engineTerm } from "./encoding.js";
import { proposingSearch } from "./vocabularyProposals.js";
import type { StoredHitSummary, TextRow } from "./rows.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { titleSearch } from "./titleWords.js";

/** How many words are looked for in one request. */
const askedAtOnce = 25;
/** The spelling of so many times as many words is looked up as are asked for: some turn out to be other words. */
const spareWords = 2;
/** In how many documents the spelling is looked up. */
const mostExamined = 50;

interface Parts {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly directory: Directory;
  readonly served: ServedPosition;
}

/** A word of the vocabulary that visible documents hold. */
interface HeldWord {
  readonly word: string;
  readonly documents: number;
  /** The newest of these documents. */
  readonly ids: readonly string[];
}

/** What the engine proposes: documents by their titles, and words of the vocabulary, visible or not. */
interface Proposed {
  readonly titles: readonly string[];
  /** For each way to read what was typed. */
  readonly words: readonly (readonly string[])[];
}

type Row = { readonly id: string } & { readonly text?: string };

/**
 * Completes what is being typed from titles and words of documents that a person may see. The engine proposes; a word
 * is told where a document holds it that passes the person's filter now.
 */
export class Suggestions {
  constructor(private readonly parts: Parts) {}

  /** `visible` is called once more where datasources or access classes have changed meanwhile. */
  async of(
    { query, count }: Pick<SuggestRequest, "query" | "count">,
    visible: () => Visibility,
  ): Promise<readonly Suggestion[]> {
    const typed = readTyped(query);
    if (typed === null) return [];
    let visibility = visible();
    let { proposed, stamp } = await this.propose(typed, visibility);
    if (stamp !== visibility.stamp) {
      await this.parts.directory.refresh();
      visibility = visible();
      ({ proposed, stamp } = await this.propose(typed, visibility));
    }
    if (visibility.filter === null) return [];
    const [titles, words] = await Promise.all([
      this.titles(typed, proposed.titles, visibility),
      this.words(typed, proposed.words, count, visibility),
    ]);
    return toSuggestions(titles, words, count);
  }

  /** With the stamp of the datasources and access classes under which it was proposed. */
  private async propose(
    typed: TypedText,
    { filter }: Visibility,
  ): Promise<{ readonly proposed: Proposed; readonly stamp: string }> {
    const { documents, words } = this.parts.names;
    const titleSearches =
      filter === null
        ? []
        : (["begins", "holds"] as const).map((meeting) => titleSearch(documents, typed, meeting, filter));
    const beginnings = filter === null ? [] : typed.completed.flatMap((word) => word.beginnings);
    const wordSearches = beginnings.map((beginning) => proposingSearch(words, beginning));
    const { answers, state } = await this.parts.served.ask<Row>([...titleSearches, ...wordSearches]);
    const rest = answers.slice(titleSearches.length);
    const proposed = {
      titles: [...new Set(rowsIn(answers.slice(0, titleSearches.length)).map(({ id }) => id))],
      words: typed.completed.map((word) =>
        rowsIn(rest.splice(0, word.beginnings.length)).map(({ text }) => text ?? ""),
      ),
    };
    return { proposed, stamp: state.stamp };
  }

  /** Titles that begin with what was typed, then those that hold its words, each once. */
  private async titles(
    typed: TypedText,
    ids: readonly string[],
    visibility: Visibility,
  ): Promise<readonly SuggestedTitle[]> {
    const rows = await this.read(ids, "id,card,cls,ds", visibility);
    const found = ids.flatMap((id) => {
      const card = rows.get(id)?.card;
      return card === undefined ? [] : [JSON.parse(card) as StoredHitSummary];
    });
    const meeting = (kind: "begins" | "holds") => found.filter(({ title }) => meetingOf(typed, title) === kind);
    const told = new Map<string, SuggestedTitle>();
    for (const { title, id } of [...meeting("begins"), ...meeting("holds")])
      if (!told.has(title.toLowerCase())) told.set(title.toLowerCase(), { title, id });
    return [...told.values()];
  }

  /** What was typed, its last word completed: by the first way to read it that leads to any. */
  private async words(
    { completed }: TypedText,
    proposed: readonly (readonly string[])[],
    count: number,
    visibility: Visibility,
  ): Promise<readonly string[]> {
    const { filter } = visibility;
    if (filter === null) return [];
    for (const [index, typed] of completed.entries()) {
      const held = await this.heldWords(typed, proposed[index] ?? [], count, filter);
      const forms = await this.formsOf(held, visibility);
      const words = held.map(({ word }) => word);
      const written = completionsAsWritten(typed, words, forms).slice(0, count);
      if (written.length > 0) return written;
    }
    return [];
  }

  /** Words in documents that hold what was typed before, those of most documents first; then in any, shortest first. */
  private async heldWords(
    typed: TypedWord,
    proposed: readonly string[],
    count: number,
    filter: string,
  ): Promise<readonly HeldWord[]> {
    const inOrder = [
      ...new Set(typed.beginnings.flatMap((beginning) => completionsInOrder(beginning, proposed))),
    ].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const before = analyseQuery(typed.before).words.map(({ terms }) => `s:[${terms.map(engineTerm).join(",")}]`);
    const beside = await this.heldIn(inOrder, [filter, ...before].join(" && "));
    const sorted = beside.toSorted((a, b) => b.documents - a.documents);
    if (before.length === 0 || sorted.length >= count) return sorted.slice(0, count * spareWords);
    const known = new Set(sorted.map(({ word }) => word));
    const elsewhere = await this.heldIn(
      inOrder.filter((word) => !known.has(word)),
      filter,
    );
    return [...sorted, ...elsewhere].slice(0, count * spareWords);
  }

  /** The words that a document which passes the filter holds, in their order, up to a number. */
  private async heldIn(words: readonly string[], filter: string): Promise<readonly HeldWord[]> {
    const held: HeldWord[] = [];
    for (let from = 0; from < words.length && held.length < mostCompletions; from += askedAtOnce) {
      const asked = words.slice(from, from + askedAtOnce);
      const answers = await this.parts.connection.search<Row>(
        asked.map((word): EngineSearch => ({
          collection: this.parts.names.documents,
          q: "*",
          filter_by: `${filter} && w:${engineSurface(word)}`,
          sort_by: "position:desc",
          include_fields: "id",
          per_page: writersOfWord,
        })),
      );
      answers.forEach(({ found, hits }, index) => {
        const ids = hits.map(({ document }) => document.id);
        if (ids.length > 0) held.push({ word: asked[index] as string, documents: found, ids });
      });
    }
    return held;
  }

  /** How the newest documents that hold these words write them. */
  private async formsOf(held: readonly HeldWord[], visibility: Visibility): Promise<WrittenForms> {
    const forms = new WrittenForms(held.map(({ word }) => word));
    const inTurns = examinedInTurns(held.map(({ word, ids }) => ({ word, documents: ids })));
    const examined = [...inTurns].slice(0, mostExamined);
    const ids = examined.map(([id]) => id);
    const rows = await this.read(ids, "id,text,card,cls,ds", visibility);
    for (const [id, words] of examined) {
      const row = rows.get(id);
      if (row?.card === undefined || forms.isExhausted) continue;
      forms.examine(readableTextsOf({ ...(JSON.parse(row.card) as StoredHitSummary), text: row.text }), words);
    }
    return forms;
  }

  /** The documents that are still there and open to the person. */
  private async read(
    ids: readonly string[],
    fields: string,
    visibility: Visibility,
  ): Promise<ReadonlyMap<string, TextRow>> {
    if (ids.length === 0) return new Map();
    const [answer] = await this.parts.connection.search<TextRow>([
      {
        collection: this.parts.names.texts,
        q: "*",
        filter_by: `id:=[${ids.join(",")}]`,
        include_fields: fields,
        per_page: ids.length,
      },
    ]);
    const rows = (answer?.hits ?? []).map(({ document }) => document);
    return new Map(
      rows.filter(({ cls, ds, id }) => visibility.shows(cls ?? "", ds, id)).map((row) => [row.id, row] as const),
    );
  }
}

const rowsIn = (answers: readonly EngineAnswer<Row>[]): readonly Row[] =>
  answers.flatMap(({ hits }) => hits.map(({ document }) => document));
