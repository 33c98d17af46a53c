import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import * as fc from "fast-check";
import type { Embedder } from "../../projections/search/ports.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { facetFields, type SearchPage } from "../../src/readModels/search.js";
import { toEmail } from "../../src/shared/ids.js";
import { Synonyms } from "../support/models/synonyms.js";
import { propertyRuns } from "../support/propertyRuns.js";
import { noFilters, type Person, SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/*
 * Two worlds: one has everything, the other what one person may see alone. Whoever is hidden may be nearer to what she
 * asks than anything that she sees, come before it, take its place, and be more than any list of candidates holds.
 */

const meant = ["car", "automobile", "wagen", "holiday", "vacation", "urlaub", "salary", "wages", "fire", "blaze"];
const others = ["the", "of", "and", "harbour", "budget", "Regenschirm", "foo_bar", "running", "Verträge", "takeover"];
const datasources = ["wiki", "jira", "hr"] as const;
const email = "ada@example.org";
const groups = ["pilots", "board", "crew"];

const anyWords = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...meant, ...others), { minLength: 1, maxLength }).map((words) => words.join(" "));

type Access = NonNullable<Parameters<SearchScenario["document"]>[0]["access"]> | undefined;

const anyAccess: fc.Arbitrary<Access> = fc.oneof(
  fc.constant(undefined),
  fc.constant({}),
  fc.constant({ users: [toEmail(email)] }),
  fc.constant({ users: [toEmail("bob@example.org")] }),
  fc.subarray(groups, { minLength: 1 }).map((some) => ({ groups: some })),
);

interface Put {
  readonly datasource: (typeof datasources)[number];
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly access: Access;
  readonly fileType: string;
  readonly author: string;
}

const anyPut: fc.Arbitrary<Put> = fc.record({
  datasource: fc.constantFrom(...datasources),
  id: fc.nat(9).map((n) => `d${n}`),
  title: anyWords(3),
  text: fc.oneof({ weight: 5, arbitrary: anyWords(30) }, { weight: 1, arbitrary: longText() }),
  access: anyAccess,
  fileType: fc.constantFrom("page", "issue"),
  author: fc.constantFrom("Ada", "Grace"),
});

/** Of several passages. */
function longText(): fc.Arbitrary<string> {
  return fc
    .array(anyWords(12), { minLength: 3, maxLength: 5 })
    .map((parts) => parts.map((part, n) => `# Part ${n}\n\n${`${part}. `.repeat(40)}`).join("\n\n"));
}

type Step = { readonly put: Put } | { readonly removed: Pick<Put, "datasource" | "id"> } | { readonly crowd: Crowd };

/** Documents that nobody may see, or only people whom she is not. */
interface Crowd {
  readonly of: number;
  readonly text: string;
}

const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ put: anyPut }) },
    {
      weight: 3,
      arbitrary: anyPut.map(({ datasource, id }) => ({ removed: { datasource, id } })),
    },
    {
      weight: 1,
      arbitrary: fc.record({ crowd: fc.record({ of: fc.constantFrom(3, 60, 120, 300), text: anyWords(2) }) }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

const anyPerson: fc.Arbitrary<Person> = fc.record({
  email: fc.constant(email),
  registeredOn: fc.subarray(["wiki", "jira"], { minLength: 1 }),
  groups: fc.subarray(groups),
});

type Asked = readonly [query: string, options: NonNullable<Parameters<SearchScenario["search"]>[1]>];

const anyQuery = fc.oneof(
  { weight: 4, arbitrary: anyWords(3) },
  { weight: 1, arbitrary: fc.tuple(anyWords(2), anyWords(2)).map(([word, phrase]) => `${word} "${phrase}"`) },
  { weight: 1, arbitrary: fc.tuple(anyWords(2), anyWords(1)).map(([word, other]) => `${word} -${other}`) },
  { weight: 1, arbitrary: fc.constantFrom("harbuor", "takeovr", "wage", "blazing", "zzz") },
);

const anyQuestion = (synonyms: Synonyms): fc.Arbitrary<Asked> =>
  fc
    .record({
      query: anyQuery,
      meaning: fc.option(anyWords(2)),
      least: fc.constantFrom(0, 0.3, 0.5, 0.9),
      page: fc.constantFrom(
        { count: 100, startPage: 0 },
        { count: 3, startPage: 0 },
        { count: 3, startPage: 1 },
        { count: 10, startPage: 2 },
      ),
      facets: fc.boolean(),
      explain: fc.boolean(),
      passages: fc.boolean(),
      filters: fc.constantFrom(
        noFilters,
        { ...noFilters, fileTypes: ["issue"] },
        { ...noFilters, datasources: [{ datasource: "wiki", sub: null, childSub: null }] },
      ),
    })
    .map(({ query, meaning, least, page, facets, explain, passages, filters }) => [
      query,
      {
        ...{ meaning: synonyms.meaning(meaning ?? query, least), ...page, filters },
        ...(facets && { facets: { fields: facetFields, windows: [{ word: "ever", from: 0, to: Date.UTC(2030, 0) }] } }),
        ...(explain && { explain }),
        ...(passages && { passages }),
      },
    ]);

const isSeenBy = ({ registeredOn = [], groups: held = [] }: Person, { datasource, access }: Put): boolean =>
  registeredOn.includes(datasource) &&
  (access === undefined ||
    (access.users ?? []).includes(toEmail(email)) ||
    (access.groups ?? []).some((group) => held.includes(group)));

/** What a step is in a world with everything, and in one with what the person sees alone. */
class TwoWorlds {
  private readonly seen = new Set<string>();
  private crowds = 0;

  constructor(
    private readonly scenario: SearchScenario,
    private readonly person: Person,
    private readonly hasAll: boolean,
  ) {}

  eventsOf(step: Step): readonly DomainEvent[] {
    if ("crowd" in step) return this.hasAll ? this.crowd(step.crowd) : [];
    if ("put" in step) return this.put(step.put);
    const { datasource, id } = step.removed;
    const isThere = this.seen.delete(`${datasource} ${id}`);
    return this.hasAll || isThere ? [this.scenario.deleted(id, datasource)] : [];
  }

  private put(put: Put): readonly DomainEvent[] {
    const { access, ...document } = put;
    const key = `${put.datasource} ${put.id}`;
    const isSeen = isSeenBy(this.person, put);
    const wasSeen = this.seen.has(key);
    if (isSeen) this.seen.add(key);
    else this.seen.delete(key);
    if (this.hasAll || isSeen) return [this.scenario.document({ ...document, ...(access && { access }) })];
    return wasSeen ? [this.scenario.deleted(put.id, put.datasource)] : [];
  }

  private crowd({ of, text }: Crowd): readonly DomainEvent[] {
    this.crowds += 1;
    return Array.from({ length: of }, (_unused, n) =>
      this.scenario.document({
        ...{ id: `crowd ${this.crowds} ${n}`, datasource: datasources[n % 3], title: text, text, author: "Mallory" },
        access: n % 2 === 0 ? {} : { users: [toEmail("bob@example.org")] },
      }),
    );
  }
}

/** Whoever searches by meaning is answered alike, to the last digit, whether there is anything hidden or not. */
export function searchIndexMeaningSecrecyContract(
  open: (embedder: Embedder) => Promise<SearchIndexUnderTest>,
  runs: number,
): void {
  const synonyms = new Synonyms();

  const answersIn = async (
    hasAll: boolean,
    { steps, person, questions }: { steps: readonly Step[]; person: Person; questions: readonly Asked[] },
  ): Promise<readonly SearchPage[]> => {
    const scenario = new SearchScenario(await open(synonyms));
    try {
      const world = new TwoWorlds(scenario, person, hasAll);
      await scenario.given(...datasources.map((name) => scenario.datasource({ name })));
      for (let from = 0; from < steps.length; from += 7) {
        const events = steps.slice(from, from + 7).flatMap((step) => world.eventsOf(step));
        if (events.length > 0) await scenario.given(...events);
      }
      while ((await scenario.reader.withoutVectors(synonyms.model)) > 0) await nextTurn();
      const pages: SearchPage[] = [];
      for (const [query, options] of questions) pages.push(await scenario.search(query, { ...options, as: person }));
      return pages;
    } finally {
      await scenario.close();
    }
  };
  const areAlike = async (worlds: Parameters<typeof answersIn>[1]): Promise<readonly SearchPage[]> => {
    const without = await answersIn(false, worlds);
    expect(await answersIn(true, worlds)).to.deep.equal(without);
    return without;
  };

  it("answers the same by meaning with and without hidden documents", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          steps: anySteps,
          person: anyPerson,
          questions: fc.array(anyQuestion(synonyms), { minLength: 4, maxLength: 8 }),
        }),
        async (worlds) => {
          const pages = await areAlike(worlds);
          found += pages.reduce((sum, { total }) => sum + total, 0);
        },
      ),
      propertyRuns(runs),
    );
    expect(found).to.be.above(0);
  });

  it("answers the same where hidden passages are nearer than any other, and more than are ever asked for", async () => {
    const put = (id: string, text: string): Step => ({
      put: { ...{ datasource: "wiki", id, title: id, text, access: undefined, fileType: "page" }, author: "Ada" },
    });
    const crowd: Step = { crowd: { of: 500, text: "automobile" } };
    const steps = [crowd, put("near", "automobile budget salary"), crowd, put("far", "wages salary automobile")];
    const questions = ["car", "harbour automobile", "car -wages"].map((query): Asked => [
      query,
      { meaning: synonyms.meaning("car", 0.3), explain: true },
    ]);
    const pages = await areAlike({ steps, person: { email, registeredOn: ["wiki"] }, questions });
    expect(pages.map(({ total }) => total)).to.deep.equal([2, 2, 1]);
  });
}
