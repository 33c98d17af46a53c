import { seededRandom } from "../../bench/corpus.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toEmail } from "../../src/shared/ids.js";
import { facetFields, type FacetsAsked, type SearchFilters } from "../../src/readModels/search.js";
import { noFilters, type Person, type SearchScenario } from "./searchIndexScenario.js";

/*
 * Two worlds with the same documents for one person. One of them has 120 more that she cannot see, and they came
 * before, between and after hers. The documents are fixed, and questions by a seed.
 */

const visibleWords = {
  en: [
    "harbour",
    "lighthouse",
    "engine",
    "contracts",
    "running",
    "budget",
    "meeting",
    "travelling",
    "salary",
    "notebook",
  ],
  de: ["Haus", "Verträge", "Prüfung", "Gehalt", "Abteilung", "Regen", "Schirme", "Anforderung", "Hafen", "Leuchtturm"],
};

/** Words that stand in hidden documents alone. */
const hiddenWords = {
  en: ["astrolabe", "acquisition", "layoffs", "merger", "87450", "sextant", "takeover", "zephyrine"],
  de: [
    "Übernahme",
    "Kündigungswelle",
    "Quartalsverlust",
    "Bonuszahlung",
    "Schirmherr",
    "Gehaltsliste",
    "Dachs",
    "Rahmen",
  ],
};

/** Other forms of visible words, which only hidden documents hold. */
const hiddenForms = {
  en: ["harbours", "engines", "contracting", "runs", "budgeted", "meetings", "traveller", "salaries", "notebooks"],
  de: ["Hauses", "Vertrages", "Prüfungen", "Gehaltes", "Abteilungen", "Regens", "Schirm", "Anforderungen", "Hafens"],
};

const glue = {
  en: ["the", "of", "and", "is", "in", "for", "with", "was"],
  de: ["der", "die", "und", "ist", "in", "für", "mit", "nicht"],
};
type Tongue = keyof typeof glue;

type Random = () => number;
const oneOf = <Value>(values: readonly Value[], random: Random): Value =>
  values[Math.floor(random() * values.length)] as Value;

const textOf = (words: readonly string[], tongue: Tongue, length: number, random: Random): string =>
  Array.from({ length }, (_, index) => oneOf(index % 2 === 0 ? glue[tongue] : words, random)).join(" ");

const isHers: Person = { email: "ada@example.org", registeredOn: ["wiki", "jira"], groups: ["pilots"] };

/** The person whose answers are compared. */
export const searchingPerson = isHers;

/** The documents that she sees, 60 of them, some written twice and some deleted. */
function* visibleEvents(scenario: SearchScenario): Generator<DomainEvent> {
  const random = seededRandom(35);
  for (let n = 0; n < 60; n++) {
    const tongue: Tongue = n % 2 === 0 ? "en" : "de";
    const document = (): DomainEvent =>
      scenario.document({
        datasource: n % 3 === 0 ? "jira" : "wiki",
        id: `seen${n}`,
        title: textOf(visibleWords[tongue], tongue, 4, random),
        text: `${textOf(visibleWords[tongue], tongue, 6 + Math.floor(random() * 60), random)} v1.2.${n % 4} foo_bar.`,
        access: n % 4 === 0 ? { users: [toEmail("ada@example.org")] } : { groups: ["pilots"] },
        fileType: n % 5 === 0 ? "issue" : "page",
        author: n % 3 === 0 ? "Grace" : "Ada",
      });
    yield document();
    if (n % 7 === 0) yield document();
  }
  yield scenario.deleted("seen1");
  yield scenario.deleted("seen21", "jira");
}

function hiddenEvent(scenario: SearchScenario, n: number, random: Random): DomainEvent {
  const tongue: Tongue = n % 2 === 0 ? "en" : "de";
  const words = [...hiddenWords[tongue], ...hiddenForms[tongue], ...visibleWords[tongue]];
  return scenario.document({
    datasource: n % 4 === 0 ? "hr" : n % 4 === 1 ? "jira" : "wiki",
    id: `hidden${n}`,
    title: textOf(words, tongue, 4, random),
    text: `${textOf(words, tongue, 10 + Math.floor(random() * 200), random)} v1.2.9 foo_bar_baz.`,
    access: n % 4 === 0 ? { anonymous: true } : { groups: ["board"] },
    author: n % 3 === 0 ? "Mallory" : "Ada",
  });
}

/** Projects one of the worlds. */
export async function createWorld(scenario: SearchScenario, hidden: "without hidden" | "with hidden"): Promise<void> {
  await scenario.given(...["wiki", "jira", "hr"].map((name) => scenario.datasource({ name })));
  const random = seededRandom(36);
  let batch: DomainEvent[] = [];
  let made = 0;
  for (const event of visibleEvents(scenario)) {
    const more = hidden === "with hidden" ? Math.min(2, 120 - made) : 0;
    for (const last = made + more; made < last; made++) batch.push(hiddenEvent(scenario, made, random));
    batch.push(event);
    if (batch.length < 10) continue;
    await scenario.given(...batch);
    batch = [];
  }
  await scenario.given(...batch);
}

/** What is asked in both worlds. */
export interface AskedQuestion {
  readonly query: string;
  readonly filters: SearchFilters;
  readonly count: number;
  readonly startPage: number;
  readonly facets?: FacetsAsked;
  readonly explain?: true;
}

const tongues: readonly Tongue[] = ["en", "de"];
const seen = (random: Random): string => oneOf(visibleWords[oneOf(tongues, random)], random);
const unseen = (random: Random): string => oneOf(hiddenWords[oneOf(tongues, random)], random);
const form = (random: Random): string => oneOf(hiddenForms[oneOf(tongues, random)], random);
const absent = (random: Random): string =>
  Array.from({ length: 6 }, () => oneOf([..."bdfgklmprt"], random) + oneOf([..."aeiou"], random)).join("");
const beginningOf = (word: string, random: Random): string =>
  word.slice(0, 2 + Math.floor(random() * (word.length - 1)));
const mistyped = (word: string, random: Random): string => {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return word.slice(0, at) + oneOf([..."aeinrst"], random) + word.slice(at + (random() < 0.5 ? 1 : 0));
};

/** Sixteen kinds of queries. */
const queryKinds: Readonly<Record<string, (random: Random) => string>> = {
  "a word of hidden documents": (random) => `${unseen(random)} `,
  "a word of no document": (random) => `${absent(random)} `,
  "a word that she sees": (random) => `${seen(random)} `,
  "another form of a word that she sees": (random) => `${form(random)} `,
  "seen, hidden and absent words": (random) => `${seen(random)} ${unseen(random)} ${absent(random)} ${seen(random)} `,
  "the beginning of a hidden word": (random) => beginningOf(unseen(random), random),
  "the beginning of a word that she sees": (random) => beginningOf(seen(random), random),
  "the beginning of a hidden form": (random) => `${seen(random)} ${beginningOf(form(random), random)}`,
  "a hidden word, mistyped": (random) => `${mistyped(unseen(random), random)} `,
  "a seen word, mistyped": (random) => `${mistyped(seen(random), random)} ${seen(random)} `,
  "a compound": (random) =>
    `${oneOf(["Regen", "Haus", "Bonus", "Leucht"], random)}${oneOf(["schirme", "schirm", "rahmen", "dachs", "gehalt", "prüfungen"], random)} `,
  "a question": (random) => `what is the ${seen(random)} of ${form(random)} and the ${seen(random)}?`,
  "a phrase": (random) =>
    `"${oneOf(["the", "der", "in"], random)} ${oneOf([seen, unseen, form], random)(random)}" ${seen(random)}`,
  "an exclusion": (random) => `${seen(random)} ${form(random)} -${oneOf([seen, unseen, form], random)(random)}`,
  "words that are written together": (random) =>
    `${oneOf(["foo_bar", "v1.2.9", "foo_bar_baz", "v1.2.3"], random)} ${seen(random)}`,
  "candidates of a secret": (random) =>
    `${seen(random)} 87${450 + Math.floor(random() * 3)} ${unseen(random)} ${seen(random)}`,
};

export const kindsOfQueries = Object.keys(queryKinds);

const everyFacet: FacetsAsked = {
  fields: facetFields,
  windows: [{ word: "ever", from: 0, to: Date.UTC(2030, 0) }],
};

/** Questions of one kind, the same ones for the same seed. */
export function questionsOf(kind: string, count: number, seed = 0): readonly AskedQuestion[] {
  const random = seededRandom(seed + kindsOfQueries.indexOf(kind) + 1);
  return Array.from({ length: count }, (_, n) => ({
    query: queryKinds[kind]?.(random) ?? "",
    filters:
      n % 5 === 4 ? { ...noFilters, datasources: [{ datasource: "wiki", sub: null, childSub: null }] } : noFilters,
    count: n % 3 === 0 ? 3 : 15,
    startPage: n % 9 === 0 ? 1 : 0,
    ...(n % 2 === 0 && { facets: everyFacet }),
    ...(n % 4 !== 0 && { explain: true }),
  }));
}
