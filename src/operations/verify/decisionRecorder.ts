import { parseSearchId } from "../../shared/ids.js";
import type { RecordedDecision, RecordedDecisions } from "../../../queries/ports.js";
import type { Queries } from "../../../queries/queries.js";

/** Of one search so many hits are remembered. */
const hitsOfSearch = 3;
/** Between two times of writing so many are remembered, the last ones. */
const mostHeld = 100;

/** Remembers which decisions people are given, and writes them down now and then, where every process can read them. */
export class DecisionRecorder {
  readonly #held = new Map<string, RecordedDecision>();

  constructor(private readonly recorded: RecordedDecisions) {}

  /** The same questions. */
  watch(queries: Queries): Queries {
    return {
      ...queries,
      search: async (question) => {
        const answer = await queries.search(question);
        if (answer.ok)
          for (const { id } of answer.value.hits.slice(0, hitsOfSearch))
            this.hold({ email: question.person, ...parseSearchId(id) });
        return answer;
      },
      checkAccess: (question) => {
        this.hold(question);
        return queries.checkAccess(question);
      },
    };
  }

  async flush(): Promise<void> {
    if (this.#held.size === 0) return;
    const decisions = [...this.#held.values()];
    this.#held.clear();
    await this.recorded.record(decisions);
  }

  private hold({ email, datasource, documentId }: Pick<RecordedDecision, "email"> & Partial<RecordedDecision>): void {
    if (datasource === undefined || documentId === undefined) return;
    const key = `${email} ${datasource}/${documentId}`;
    this.#held.delete(key);
    this.#held.set(key, { email, datasource, documentId });
    if (this.#held.size > mostHeld) this.#held.delete(this.#held.keys().next().value as string);
  }
}
