import type { PrincipalToken } from "../../shared/ids.js";
import type { Answer } from "./answers.js";
import type { ExpectedSubject } from "./expectedSubjects.js";

/** One thing that two answers do not agree on. */
export type Difference =
  /** Texts are told by their SHA-256; null: there is none. */
  | { readonly aspect: string; readonly expected: string | null; readonly served: string | null }
  /**
   * For a document's access list, or for what a person holds: what should be served and is not, and what is served and
   * should not be.
   */
  | { readonly aspect: "principals"; readonly missing: readonly string[]; readonly extra: readonly string[] };

/** Something that is served otherwise than it should be. */
export interface Drift {
  readonly subject: ExpectedSubject;
  readonly differences: readonly Difference[];
}

/** What the two disagree on; empty where they agree. */
export function differencesBetween(expected: Answer | null, served: Answer | null): readonly Difference[] {
  if (expected === null && served === null) return [];
  if (expected === null) return [{ aspect: "presence", expected: "absent", served: "present" }];
  if (served === null) return [{ aspect: "presence", expected: "present", served: "absent" }];
  const aspects = [...new Set([...expected.facts.keys(), ...served.facts.keys()])];
  const facts = aspects.flatMap((aspect): readonly Difference[] => {
    const [should, does] = [expected.facts.get(aspect) ?? null, served.facts.get(aspect) ?? null];
    return should === does ? [] : [{ aspect, expected: should, served: does }];
  });
  const missing = without(expected.principals, served.principals);
  const extra = without(served.principals, expected.principals);
  return missing.length + extra.length === 0 ? facts : [...facts, { aspect: "principals", missing, extra }];
}

const without = (set: ReadonlySet<PrincipalToken>, other: ReadonlySet<PrincipalToken>): readonly PrincipalToken[] =>
  [...set].filter((token) => !other.has(token)).sort();
