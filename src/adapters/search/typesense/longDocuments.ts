import { termShareIn } from "../../../analysis/bm25f.js";
import { bestPassagesIn, type BestPassages, type PassageQuestion } from "../../../analysis/passageScores.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import {
  countedLength,
  lengthNormalisation,
  mostPages,
  mostPagesInAll,
  mostRounds,
  reordered,
  settledAtOnce,
} from "../../../analysis/rankingRules.js";
import type { Candidate } from "./candidates.js";
import type { EngineWord } from "./matching.js";
import type { Paged, StoredTexts } from "./storedTexts.js";

/** What the passages of long documents are looked through for. */
export function passageQuestion(
  words: readonly EngineWord[],
  phrases: readonly QueryPhrase[],
  averageLength: number,
  explain?: true,
): PassageQuestion {
  const length = countedLength(Infinity, averageLength);
  return {
    words: words.map(({ alternatives, areDisjoint }) => ({ ways: alternatives, areDisjoint })),
    phrases: phrases.map(({ sequences }) => sequences),
    shareOf: termShareIn(length, { weight: 1, lengthNormalisation, averageLength }),
    ...(explain && { explain }),
  };
}

/**
 * The long documents of one search, scored by their best passage. What all of their words score is the most that a
 * passage can. So the first ones by that are settled, those that come first then, and so on, until the first places
 * hold none that is open.
 */
export class SettledDocuments {
  private readonly known = new Map<string, BestPassages>();
  private readonly asked = new Set<string>();
  private pages = 0;

  constructor(
    private readonly question: PassageQuestion,
    private readonly texts: StoredTexts,
  ) {}

  /** Orders documents by their scores, in which long ones count by their best passage. */
  async rank(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    let ranked = candidates.toSorted(inOrder);
    for (let round = 0; round < mostRounds && ranked.slice(0, reordered).some((one) => this.isOpen(one.row)); round++) {
      const wanted = this.withinBounds(ranked.slice(0, settledAtOnce).map(({ row }) => row));
      if (wanted.length === 0) break;
      await this.learn(wanted);
      ranked = ranked.map((candidate) => this.settled(candidate)).sort(inOrder);
    }
    return ranked;
  }

  /** Where the best passages of these documents stand, by id; none of those that are no longer what they were. */
  async placesOf(documents: readonly Paged[]): Promise<ReadonlyMap<string, BestPassages["places"]>> {
    const wanted = documents.filter((document) => this.isOpen(document));
    if (wanted.length > 0) await this.learn(wanted.map(bounded));
    return new Map(
      documents.flatMap(({ id, position }) => {
        const best = this.known.get(keyOf({ id, position }));
        return best === undefined || best.places.length === 0 ? [] : [[id, best.places] as const];
      }),
    );
  }

  private isOpen(document: Paged): boolean {
    return document.pages > 0 && !this.asked.has(keyOf(document));
  }

  private withinBounds(documents: readonly Paged[]): readonly Paged[] {
    const wanted: Paged[] = [];
    for (const document of documents) {
      if (this.pages >= mostPagesInAll) break;
      if (!this.isOpen(document)) continue;
      const one = bounded(document);
      wanted.push(one);
      this.pages += one.pages;
    }
    return wanted;
  }

  private async learn(wanted: readonly Paged[]): Promise<void> {
    const pages = await this.texts.pages(wanted);
    for (const document of wanted) {
      this.asked.add(keyOf(document));
      const own = pages.get(document.id);
      if (own !== undefined) this.known.set(keyOf(document), bestPassagesIn(own, this.question));
    }
  }

  private settled(candidate: Candidate): Candidate {
    const best = this.known.get(keyOf(candidate));
    return best === undefined || best.places.length === 0
      ? candidate
      : { ...candidate, score: (best.score + candidate.title) * candidate.worth, settledBy: best };
  }
}

const keyOf = ({ id, position }: { readonly id: string; readonly position: number }): string => `${id} ${position}`;
const bounded = (document: Paged): Paged => ({ ...document, pages: Math.min(document.pages, mostPages) });
const inOrder = (a: Candidate, b: Candidate): number => b.score - a.score || b.position - a.position;
