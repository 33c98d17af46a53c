import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { Language } from "../../../shared/texts.js";
import { searchedNamesOf } from "../../../analysis/searchedTexts.js";
import { reorderByNearness, type Candidate } from "../../../analysis/nearness.js";
import { reordered } from "../../../analysis/rankingRules.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { correctionsAsWritten } from "../../../analysis/writtenForms.js";
import type { Explanation } from "../../../readModels/explanation.js";
import type { Correction, HitSummary, DocumentDetails, SearchHit, SearchPage } from "../../../readModels/search.js";
import { excerptsAbout } from "../excerpts.js";
import type { Visibility } from "./accessFilter.js";
import type { TypesenseConnection } from "./connection.js";
import type { Candidate as ScoredCandidate } from "./candidates.js";
import type { TypedWord } from "./queryWords.js";
import type { Directory } from "./directory.js";
import type { SettledDocuments } from "./longDocuments.js";
import { ShownRows } from "./shownRows.js";
import { ShownTexts } from "./shownTexts.js";
import type { BoundSub, StoredHitSummary } from "./rows.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";

/** A document at its place in the ranking; where it was scored, with what it was scored by. */
export interface Ranked extends Partial<Pick<ScoredCandidate, "counts" | "length" | "worth" | "settledBy">> {
  readonly id: string;
  readonly position: number;
  readonly score: number;
}

/** The part of a ranking that is to be shown. */
interface PresentationRequest {
  /** From the first one on, before the first hits are reordered; null: the page is in its order. */
  readonly ranked: readonly Ranked[] | null;
  /** The part of the page that comes after the ranked ones. */
  readonly further: readonly Ranked[];
  readonly offset: number;
  readonly count: number;
  readonly typed: readonly TypedWord[];
  readonly sought: readonly SoughtWord[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  readonly phrases: readonly QueryPhrase[];
  readonly settled: SettledDocuments;
  readonly visibility: Visibility;
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
  /** Where there is an order by relevance. */
  readonly near: FoundByMeaning;
  /** Left out: hits do not say why they are where they are. */
  readonly explanationOf?: ((shown: Shown) => Explanation) | undefined;
  /** Left out: hits come without their passages. */
  readonly passages: true | undefined;
}

/** A document as it is shown, at its place. */
export type Shown = Ranked &
  Candidate & { readonly hasNearness?: true } & { readonly ds: string; readonly card: StoredHitSummary };

/** Shows ranked documents: reads what is shown of them, orders the first ones by nearness, and cuts the passages. */
export class Presentation {
  private readonly rows: ShownRows;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    private readonly directory: Directory,
  ) {
    this.rows = new ShownRows(connection, collection);
  }

  async present(request: PresentationRequest): Promise<Pick<SearchPage, "hits" | "corrected">> {
    const { corrected } = request;
    const shown = await this.shown(request);
    return {
      hits: shown.map(this.hitsFor(request)),
      ...(corrected.length > 0 && { corrected: correctionsAsWritten(corrected, shown) }),
    };
  }

  private async shown(request: PresentationRequest): Promise<readonly Shown[]> {
    const { ranked, further, offset, count, phrases, settled, visibility, near } = request;
    const texts = new ShownTexts(this.connection, this.collection, { settled, phrases, near });
    const read = (some: readonly Ranked[]): Promise<readonly Shown[]> => this.read(some, texts, visibility);
    if (ranked === null) return read(further);
    if (!near.isNothing) return this.shownByBoth(ranked, request, read);
    const page = [...ranked.slice(offset, offset + count), ...further];
    if (page.length === 0 || offset >= reordered) return read(page);
    const first = ranked.slice(0, reordered);
    const rest = page.slice(Math.max(0, reordered - offset));
    const shown = await read([...first, ...rest]);
    const isFirst = new Set(first.map(({ id }) => id));
    const nearest = nearestWordsFirst(
      shown.filter(({ id }) => isFirst.has(id)),
      request,
    );
    return [...nearest.slice(offset, offset + count), ...shown.filter(({ id }) => !isFirst.has(id))];
  }

  /** The order by words, its first hits reordered, and that by meaning in one. */
  private async shownByBoth(
    ranked: readonly Ranked[],
    request: PresentationRequest,
    read: (some: readonly Ranked[]) => Promise<readonly Shown[]>,
  ): Promise<readonly Shown[]> {
    const { offset, count, further, near } = request;
    const first = nearestWordsFirst(await read(ranked.slice(0, reordered)), request);
    const known = new Map(first.map((shown) => [shown.id, shown]));
    const byWords = new Map(ranked.map((one) => [one.id, one]));
    const order = near.order([...known.keys(), ...ranked.slice(reordered).map(({ id }) => id)]);
    const page = order
      .slice(offset, offset + count)
      .map((id) => byWords.get(id) ?? { id, position: near.positionOf(id), score: 0 });
    const others = await read([...page.filter(({ id }) => !known.has(id)), ...further]);
    const shown = new Map([...known, ...others.map((one) => [one.id, one] as const)]);
    return [...page, ...further].flatMap(({ id }) => shown.get(id) ?? []);
  }

  /** The documents that are open to the person: they may have been replaced since they were found. */
  private async read(ranked: readonly Ranked[], texts: ShownTexts, visibility: Visibility): Promise<readonly Shown[]> {
    if (ranked.length === 0) return [];
    const rows = await this.rows.of(ranked);
    const textOf = await texts.of([...rows.values()]);
    return ranked.flatMap((document) => {
      const row = rows.get(document.id);
      if (row?.card === undefined || !visibility.shows(row.cls ?? "", row.ds, row.id)) return [];
      const card = JSON.parse(row.card) as StoredHitSummary;
      const text = textOf.get(row.id) ?? { text: "" };
      const names = searchedNamesOf(card).map((name) => name.text);
      return [{ ...document, card, ds: row.ds, title: card.title, names, ...text, language: row.language ?? null }];
    });
  }

  private hitsFor({ sought, phrases, passages, explanationOf }: PresentationRequest): (shown: Shown) => SearchHit {
    const excerptsOf = excerptsAbout(sought, phrases, passages);
    return (shown) => ({
      ...toHitSummary(shown.card, this.directory, shown.ds),
      ...excerptsOf(shown),
      score: shown.score,
      ...(explanationOf && { explanation: explanationOf(shown) }),
    });
  }
}

const nearestWordsFirst = (
  shown: readonly Shown[],
  { typed, readers }: Pick<PresentationRequest, "typed" | "readers">,
): readonly Shown[] => reorderByNearness(shown, { typed, readers }, (a, b) => b.position - a.position);

/** A document's hit summary. A sub that was deleted is not named. */
function toHitSummary({ sub, childSub, ...card }: StoredHitSummary, directory: Directory, ds: string): HitSummary {
  const { id, title, datasource, fileType, path, pathPreview, author, lastModified } = card;
  return {
    id,
    title,
    datasource,
    ...subsNow({ sub, childSub }, directory, ds),
    fileType,
    path,
    pathPreview,
    author,
    lastModified,
  };
}

/** A hit summary with everything else that is known of the document. */
export function toDetails(
  { sub, childSub, ...card }: StoredHitSummary,
  directory: Directory,
  ds: string,
): DocumentDetails {
  return { ...card, ...subsNow({ sub, childSub }, directory, ds) };
}

function subsNow(
  bound: { readonly sub: BoundSub | null; readonly childSub: BoundSub | null },
  directory: Directory,
  ds: string,
): Pick<HitSummary, "sub" | "childSub"> {
  const declared = new Set(directory.datasources.get(ds)?.subs.map(({ id }) => id));
  const now = (one: BoundSub | null): string | null => (one !== null && declared.has(one.id) ? one.key : null);
  return { sub: now(bound.sub), childSub: now(bound.childSub) };
}
