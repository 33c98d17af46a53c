import type { QueryWord } from "../../../analysis/analyseQuery.js";
import { completedPlaces } from "../../../analysis/completions.js";
import type { CompoundSplit } from "../../../analysis/compounds.js";
import { mostCompounds } from "../../../analysis/compoundWords.js";
import { termsOf } from "../../../analysis/words.js";
import type {
  Dictionary,
  Expansion,
  Held,
  NearWords,
  OtherWords,
  RunnableQuery,
  RunnableWord,
  Way,
} from "../../../search/readQuery.js";
import { frequencyAt, holds, type Postings } from "./growingPostings.js";
import type { PostingsCache } from "./postings.js";
import type { Visibility } from "./visibility.js";
import type { NearWord, VocabularyLookup } from "./vocabularyLookup.js";

/** A term, and where it is found. */
interface FoundTerm extends Held {
  readonly postings: Postings;
}

export type SqliteWay = Way<FoundTerm>;
export type SqliteExpansion = Expansion<FoundTerm>;
export type SqliteWord = RunnableWord<FoundTerm>;
export type SqliteQuery = RunnableQuery<FoundTerm>;

/** The words of documents that one person may see, by their postings and the vocabulary. */
export class VisibleWords implements Dictionary<FoundTerm> {
  constructor(
    private readonly postings: PostingsCache,
    private readonly vocabulary: VocabularyLookup,
    private readonly visibility: Visibility,
  ) {}

  get documents(): number {
    return this.visibility.all.documents;
  }

  find(terms: readonly string[]): readonly FoundTerm[] {
    return terms
      .map((term) => ({ term, postings: this.postings.ofTerm(term) }))
      .map((found) => ({ ...found, documents: this.visibility.countOpen(found.postings) }))
      .filter(({ documents }) => documents > 0);
  }

  findBeside(terms: readonly string[]): readonly FoundTerm[] {
    return this.find(terms);
  }

  holdingAll(terms: readonly string[], parts: readonly (readonly FoundTerm[])[]): FoundTerm | null {
    const found = parts.map((part) => part.map(({ postings }) => postings));
    const postings = holdingAll(found, (slot) => this.visibility.opens(slot));
    const documents = this.visibility.countOpen(postings);
    if (documents === 0) return null;
    return { term: terms.join(" "), parts: parts.map((part) => part.map(({ term }) => term)), postings, documents };
  }

  countAny(found: readonly FoundTerm[], most: number): number {
    return this.visibility.countAny(
      found.map(({ postings }) => postings),
      most,
    );
  }

  completing(word: Pick<QueryWord, "word" | "terms">, own: readonly FoundTerm[]): OtherWords<FoundTerm> {
    const terms = [...new Set(this.vocabulary.completions(word.word, this.visibility).flatMap(termsOf))].filter(
      (term) => !word.terms.includes(term),
    );
    const found: FoundTerm[] = [];
    let places = 0;
    for (const term of terms) {
      if (places >= completedPlaces) break;
      found.push(...this.find([term]));
      places = placesOf(found);
    }
    return { terms, found, documents: placesOf(found) + placesOf(own) };
  }

  inCompounds(word: QueryWord, own: readonly FoundTerm[]): OtherWords<FoundTerm> {
    const compounds = this.vocabulary.compoundsWith(word, this.visibility);
    const terms = [...new Set(compounds.flatMap((compound) => compound.terms))].filter(
      (term) => !word.terms.includes(term),
    );
    const found = this.find(terms)
      .toSorted((a, b) => a.documents - b.documents)
      .slice(0, mostCompounds);
    return { terms, found, documents: placesOf(found) + placesOf(own) };
  }

  /** The first question is which of the words exist at all, which costs less. */
  heldSplits(splits: readonly CompoundSplit[]): readonly CompoundSplit[] {
    const known = this.vocabulary.known(partsIn(splits));
    const possible = splits.filter(({ head, tail }) => known.has(head) && known.has(tail));
    const open = this.vocabulary.open(partsIn(possible), this.visibility);
    return possible.filter(({ head, tail }) => open.has(head) && open.has(tail));
  }

  near(word: QueryWord): readonly NearWords<FoundTerm>[] {
    return this.foundOf(this.vocabulary.near(word.word, this.visibility), word);
  }

  nearParts(word: QueryWord): readonly NearWords<FoundTerm>[] {
    return this.foundOf(this.vocabulary.nearParts(word.word, this.visibility), word);
  }

  private foundOf(near: readonly NearWord[], { terms }: QueryWord): readonly NearWords<FoundTerm>[] {
    return near.map((candidate) => ({
      ...candidate,
      found: this.find(termsOf(candidate.word).filter((term) => !terms.includes(term))),
    }));
  }
}

const placesOf = (found: readonly Held[]): number => found.reduce((sum, { documents }) => sum + documents, 0);

const partsIn = (splits: readonly CompoundSplit[]): readonly string[] => [
  ...new Set(splits.flatMap(({ head, tail }) => [head, tail])),
];

/** The rarest part is followed in at most so many documents that are open, the newest. */
const mostFollowed = 50_000;

/**
 * The documents that hold every part of a name, each in any of its ways, as often as the part that they hold least. It
 * costs as much as the rarest part has documents.
 *
 * @param isOpen whether the person may see a document: others count towards no bound.
 */
export function holdingAll(
  parts: readonly (readonly Postings[])[],
  isOpen: (slot: number) => boolean,
  most = mostFollowed,
): Postings {
  const sizeOf = (ways: readonly Postings[]): number => ways.reduce((sum, { size }) => sum + size, 0);
  const [rarest = [], ...others] = [...parts].sort((a, b) => sizeOf(a) - sizeOf(b));
  const slots = newestOpen(rarest, isOpen, most).filter((slot) =>
    others.every((ways) => ways.some((postings) => holds(postings, slot))),
  );
  const frequencies = Uint8ClampedArray.from(slots, (slot) =>
    parts.reduce((least, ways) => Math.min(least, mostOften(ways, slot)), Infinity),
  );
  return { slots, frequencies, size: slots.length };
}

const mostOften = (ways: readonly Postings[], slot: number): number =>
  ways.reduce((most, postings) => Math.max(most, frequencyAt(postings, slot)), 0);

/** In ascending order, each once. */
function newestOpen(ways: readonly Postings[], isOpen: (slot: number) => boolean, most: number): Int32Array {
  const newest = new Set<number>();
  for (const { slots, size } of ways) {
    let left = most;
    for (let index = size - 1; index >= 0 && left > 0; index--) {
      const slot = slots[index] as number;
      if (!isOpen(slot)) continue;
      newest.add(slot);
      left -= 1;
    }
  }
  return Int32Array.from(newest).sort().slice(-most);
}
