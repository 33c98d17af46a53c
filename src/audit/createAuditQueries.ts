import { setImmediate as nextTurn } from "node:timers/promises";
import { createAccess, type AccessServices } from "./access/access.js";
import type { AskedHistory, ServedHistory } from "./asOf/askedHistory.js";
import type { AuditQueries } from "./auditQueries.js";
import type { MissingFact } from "./auditFacts.js";
import type { NothingFound, HistoryQuestion } from "./historyQuestions.js";
import type { QueryFailure } from "../../queries/queries.js";
import { ok, type Result } from "../shared/result.js";
import { createHistory, type HistoryServices } from "./asOf/history.js";
import {
  findIndexedDocument,
  listGroupMembers,
  listInventory,
  type InventoryServices,
} from "./inventory/listInventory.js";
import { createPastSearch, type PastSearchServices } from "./search/pastSearch.js";
import { distanceWithin } from "../shared/editDistance.js";
import type { DatasourceName } from "../shared/ids.js";
import type { Inventory, Incarnation } from "./ports/permissionHistory.js";
import { still } from "./visibility/intervalSet.js";

type Services = AccessServices & HistoryServices & PastSearchServices;

/** One set of the readers that requests are answered from. */
type ServedSet = AccessServices["served"] & PastSearchServices["served"];

interface AuditOptions extends Omit<Services, "clock" | "progress" | "page" | "served"> {
  readonly history: ServedHistory;
  /** Asks a question of one set; and again of the next, where that took over while the question waited. */
  readonly served: { use<Answer>(ask: (served: ServedSet) => Promise<Answer>): Promise<Answer> };
}

/**
 * Answers questions about the past. Each uses one version of the permission history, and one set of what is served,
 * from beginning to end.
 */
export function createAuditQueries({ history, served, ...services }: AuditOptions): AuditQueries {
  const servicesOver = (asked: AskedHistory): Omit<Services, "served"> => {
    const { clock, page } = asked;
    return { ...services, clock, page, progress: asked };
  };
  const askServed = <Answer>(ask: (given: Services) => Promise<Answer>): Promise<Answer> =>
    history.use((asked) => served.use((set) => ask({ ...servicesOver(asked), served: set })));
  const askInventory = <Answer>(ask: (given: InventoryServices) => Promise<Answer>): Promise<Answer> =>
    history.use((asked) =>
      served.use(({ search }) =>
        ask({
          ...{ log: services.log, patienceMs: services.patienceMs, progress: asked },
          history: () => asked.history(),
          inventory: () => asked.inventory(),
          searchable: () => search.position(),
        }),
      ),
    );
  return {
    access: async (question) => {
      const answer = await askServed((given) => createAccess(given)(question));
      const isUnknown = answer.ok && answer.value.missing?.ended === undefined;
      return isUnknown ? withSuggestion(answer, question, history) : answer;
    },
    history: async (question) =>
      withSuggestion(
        await history.use((asked) => createHistory(servicesOver(asked))(question)),
        namedIn(question.question),
        history,
      ),
    inventory: (question) => askInventory((given) => listInventory(question, given)),
    indexedDocument: (question) => askInventory((given) => findIndexedDocument(question, given)),
    datasourceCounts: () => history.use((asked) => asked.counts()),
    subjects: (search) => history.use((asked) => asked.findSubjects(search)),
    groupMembers: (question) =>
      history.use((asked) =>
        listGroupMembers(question, {
          ...{ log: services.log, patienceMs: services.patienceMs, progress: asked },
          history: () => asked.history(),
          inventory: () => asked.inventory(),
        }),
      ),
    search: (question) => askServed((given) => createPastSearch(given)(question)),
  };
}

const namesNothing: ReadonlySet<string> = new Set<(MissingFact | NothingFound)["kind"]>([
  "datasource_absent",
  "document_absent",
  "not_registered",
  "group_absent",
  "nothing_opened",
]);

/** Where what the question names is not there, the answer says what was probably meant. */
async function withSuggestion<Answer extends { missing?: MissingFact | NothingFound }>(
  answer: Result<Answer, QueryFailure>,
  named: NamedInQuestion,
  history: ServedHistory,
): Promise<Result<Answer, QueryFailure>> {
  const missing = answer.ok ? answer.value.missing : undefined;
  if (!answer.ok || missing === undefined || !namesNothing.has(missing.kind)) return answer;
  const meant = await history.use(async (asked) => {
    const past = asked.history();
    return suggest(named, {
      incarnations: past.upTo(past.position()).incarnations(),
      inventory: asked.inventory(),
    });
  });
  if (meant === null) return answer;
  return ok({ ...answer.value, missing: { ...missing, detail: `${missing.detail} Did you mean ${meant}?` } });
}

/** What a question named, as far as it did. */
interface NamedInQuestion {
  readonly datasource?: DatasourceName;
  readonly documentId?: string;
  readonly user?: string;
  readonly group?: string;
}

/** What a question about more than one person or document names. */
function namedIn(question: HistoryQuestion): NamedInQuestion {
  switch (question.kind) {
    case "effective":
    case "links":
    case "changes":
      return { ...question.document, ...(question.user !== null && { user: question.user }) };
    case "exposureOfGrant": {
      const { datasource, documentId, target } = question;
      const who =
        target.kind === "user" ? { user: target.email } : target.kind === "group" ? { group: target.name } : {};
      return { datasource, documentId, ...who };
    }
    case "exposureOfEvent":
    case "difference":
      return {};
    default:
      return question;
  }
}

/** What there is now. */
interface KnownNames {
  readonly incarnations: readonly Incarnation[];
  readonly inventory: Inventory;
}

/** Names that are looked at, at most: those that begin like the one in question, and the first of all. */
const mostBeginningAlike = 5_000;

const mostOfAll = 20_000;
const namesAtOnce = 500;

/**
 * The name that was probably meant, where the question names nothing that there is now: of a datasource, a document as
 * `{datasource}/{id}`, a person or a group. null: everything is there, or nothing is named nearly so.
 */
async function suggest(
  { datasource, documentId, user, group }: NamedInQuestion,
  { incarnations, inventory }: KnownNames,
): Promise<string | null> {
  const live = incarnations.filter(({ closed }) => closed === still);
  const asked = live.filter(({ name }) => datasource === undefined || name === datasource);
  if (datasource !== undefined && asked.length === 0)
    return nearest(datasource, [listOnce(live.map(({ name }) => ({ key: name })))]);
  const inEach = (kind: "documents" | "users" | "groups"): readonly Listing[] =>
    asked.map(
      ({ number }) =>
        (after, count) =>
          inventory[kind](number, { prefix: "", after, count }),
    );
  const document = documentId === undefined ? null : await nearest(documentId, inEach("documents"));
  if (document !== null) return `${datasource}/${document}`;
  const named = group === undefined ? null : await nearest(group, inEach("groups"));
  return named ?? (user === undefined ? null : nearest(user, inEach("users")));
}

/** Names in their order, after one. */
type Listing = (after: string, count: number) => readonly { readonly key: string }[];

const listOnce =
  (names: readonly { readonly key: string }[]): Listing =>
  (after) =>
    after === "" ? names : [];

async function nearest(wanted: string, listings: readonly Listing[]): Promise<string | null> {
  let found: { readonly name: string; readonly distance: number } | null = null;
  for await (const name of candidates(wanted, listings)) {
    if (name === wanted) return null;
    const distance = distanceOf(wanted, name);
    if (distance !== null && distance < (found?.distance ?? Infinity)) found = { name, distance };
  }
  return found?.name ?? null;
}

async function* candidates(wanted: string, listings: readonly Listing[]): AsyncGenerator<string, void, void> {
  const alike = wanted.slice(0, Math.ceil(wanted.length / 2));
  for (const listing of listings) {
    yield* namesOf(listing, alike, mostBeginningAlike);
    yield* namesOf(listing, "", mostOfAll);
  }
}

/** The names that begin so, in their order, with a pause for others after each few hundred. */
async function* namesOf(listing: Listing, first: string, most: number): AsyncGenerator<string, void, void> {
  let after = first;
  for (let seen = 0; seen < most;) {
    const names = listing(after, namesAtOnce);
    for (const { key } of names) yield key;
    const last = names.at(-1);
    if (last === undefined || names.length < namesAtOnce || !last.key.startsWith(first)) return;
    after = last.key;
    seen += names.length;
    await nextTurn();
  }
}

/** 0: but for case, or for an ending such as `.md` or `@example.com`, they are the same. */
function distanceOf(wanted: string, name: string): number | null {
  const [a, b] = [wanted.toLowerCase(), name.toLowerCase()];
  if (a === b || (b.startsWith(a) && /^[.@]/.test(b.slice(a.length)))) return 0;
  return distanceWithin(a, b, a.length < 5 ? 1 : 2);
}
