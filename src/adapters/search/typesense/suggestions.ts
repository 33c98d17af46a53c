import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { completionsInOrder, mostCompletions } from "../../../analysis/completions.js";
import { goesOn, meetingOf, readTyped, type TypedText } from "../../../analysis/suggesting.js";
import { writtenForm } from "../../../analysis/writtenForms.js";
import { toSuggestions, type SuggestedTitle, type Suggestion } from "../../../readModels/suggestions.js";
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
/** Of so many times as many words as are asked for it is looked up how they are written: some turn out to be others. */
const spareWords = 2;

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
  /** The newest of them. */
  readonly id: string;
}

/** What the engine proposes: documents by their titles, and words of the vocabulary, visible or not. */
interface Proposed {
  readonly titles: readonly string[];
  readonly words: readonly string[];
}

type Row = { readonly id: string } & { readonly text?: string };

/**
 * Completes what is being typed from titles and words of documents that a person may see. The engine proposes; a word is
 * told where a document holds it that passes the person's filter now.
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
    const { filter } = visibility;
    if (filter === null) return [];
    const [titles, held] = await Promise.all([
      this.titles(typed, proposed.titles, visibility),
      this.heldWords(typed, proposed.words, count, filter),
    ]);
    return toSuggestions(titles, await this.written(typed, held, count, visibility), count);
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
    const wordSearches = filter === null ? [] : typed.beginnings.map((beginning) => proposingSearch(words, beginning));
    const { answers, state } = await this.parts.served.ask<Row>([...titleSearches, ...wordSearches]);
    const proposed = {
      titles: [...new Set(rowsIn(answers.slice(0, titleSearches.length)).map(({ id }) => id))],
      words: rowsIn(answers.slice(titleSearches.length)).map(({ text }) => text ?? ""),
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

  /** Words in documents that hold what was typed before, those of most documents first; then in any, shortest first. */
  private async heldWords(
    typed: TypedText,
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

  /** Those of the words that a document holds which passes the filter, in their order, up to a number. */
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
          per_page: 1,
        })),
      );
      answers.forEach(({ found, hits }, index) => {
        const id = hits[0]?.document.id;
        if (id !== undefined) held.push({ word: asked[index] as string, documents: found, id });
      });
    }
    return held;
  }

  /** What was typed, with these words in place of the last one, as their documents write them. */
  private async written(
    { before, last }: TypedText,
    held: readonly HeldWord[],
    count: number,
    visibility: Visibility,
  ): Promise<readonly string[]> {
    const rows = await this.read([...new Set(held.map(({ id }) => id))], "id,text,card,cls,ds", visibility);
    const forms = new Set<string>();
    for (const { word, id } of held) {
      const row = rows.get(id);
      if (row?.card === undefined) continue;
      const { title } = JSON.parse(row.card) as StoredHitSummary;
      const form = writtenForm(word, [title, row.text]);
      if (goesOn(last, form) && !goesOn(form, last)) forms.add(before + form);
      if (forms.size >= count) break;
    }
    return [...forms];
  }

  /** Those of these documents that are still there and open to the person. */
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
