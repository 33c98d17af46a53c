/** Occurrences of the query's terms in one field of one document. */
interface FieldOccurrences {
  /** One count for each term of the query, in the query's order. */
  readonly counts: readonly number[];
  /** How many terms the field has. */
  readonly length: number;
}

export interface FieldParameters {
  /** What an occurrence here counts, compared with one in a field of weight 1. */
  readonly weight: number;
  /** 0: length does not matter; 1: an occurrence in a field twice as long counts half. */
  readonly lengthNormalisation: number;
  readonly averageLength: number;
}

/** How fast further occurrences of a term stop counting. */
const saturation = 1.2;

/** How much a term tells. Never negative, so that a document never loses by holding a word of the query. */
export const inverseDocumentFrequency = (documents: number, documentsWithTerm: number): number =>
  Math.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5));

/**
 * BM25F (Robertson, Zaragoza, Taylor 2004): occurrences are weighed by field and its length, added up over the fields,
 * and saturate together. `weights` are the terms' inverse document frequencies, in the query's order.
 */
export function bm25f(
  weights: readonly number[],
  fields: readonly FieldOccurrences[],
  parameters: readonly FieldParameters[],
): number {
  let score = 0;
  weights.forEach((weight, term) => {
    let frequency = 0;
    fields.forEach((field, at) => {
      const count = field.counts[term] ?? 0;
      const parameter = parameters[at];
      if (count > 0 && parameter !== undefined)
        frequency += (parameter.weight * count) / lengthFactor(field.length, parameter);
    });
    score += weight * saturated(frequency);
  });
  return score;
}

const saturated = (frequency: number): number => (frequency * (saturation + 1)) / (saturation + frequency);

/** By what a word's weight is multiplied that stands so many times in a text of this length: BM25. */
export function termShareIn(length: number, parameters: FieldParameters): (times: number) => number {
  const perOccurrence = parameters.weight / lengthFactor(length, parameters);
  return (times) => saturated(perOccurrence * times);
}

const lengthFactor = (length: number, { lengthNormalisation, averageLength }: FieldParameters): number =>
  1 - lengthNormalisation + (lengthNormalisation * length) / Math.max(1, averageLength);
