import { createAccess, type AccessServices } from "./access/access.js";
import type { AskedHistory, ServedHistory } from "./asOf/askedHistory.js";
import type { AuditQueries } from "./auditQueries.js";
import { namedIn, suggest, type NamedInQuestion } from "./suggestion.js";
import type { MissingFact } from "./auditFacts.js";
import type { NothingFound } from "./historyQuestions.js";
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

type Services = AccessServices & HistoryServices & PastSearchServices;

/** One set of the readers that requests are answered from. */
type ServedSet = AccessServices["served"] & PastSearchServices["served"];

export interface AuditOptions extends Omit<Services, "clock" | "progress" | "page" | "served"> {
  readonly history: ServedHistory;
  /** Asks a question of one set; and again of the next, where that took over while the question waited. */
  readonly served: { use<Answer>(ask: (served: ServedSet) => Promise<Answer>): Promise<Answer> };
}

/**
 * Answers questions about the past. Each uses one version of the permission history, and one set of what is served,
 * from beginning to end.
 */
export function createAuditQueries({ history, served, ...services }: AuditOptions): AuditQueries {
  const over = (asked: AskedHistory): Omit<Services, "served"> => {
    const { clock, page } = asked;
    return { ...services, clock, page, progress: asked };
  };
  const ofBoth = <Answer>(ask: (given: Services) => Promise<Answer>): Promise<Answer> =>
    history.use((asked) => served.use((set) => ask({ ...over(asked), served: set })));
  const ofWhatIsThere = <Answer>(ask: (given: InventoryServices) => Promise<Answer>): Promise<Answer> =>
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
      const answer = await ofBoth((given) => createAccess(given)(question));
      const isUnknown = answer.ok && answer.value.missing?.ended === undefined;
      return isUnknown ? withSuggestion(answer, question, history) : answer;
    },
    history: async (question) =>
      withSuggestion(
        await history.use((asked) => createHistory(over(asked))(question)),
        namedIn(question.question),
        history,
      ),
    inventory: (question) => ofWhatIsThere((given) => listInventory(question, given)),
    indexedDocument: (question) => ofWhatIsThere((given) => findIndexedDocument(question, given)),
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
    search: (question) => ofBoth((given) => createPastSearch(given)(question)),
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
