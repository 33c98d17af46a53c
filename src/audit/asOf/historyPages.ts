import { ok, type Result } from "../../shared/result.js";
import type { QueryFailure } from "../../../queries/queries.js";
import { answerHistory } from "./answerHistory.js";
import type { HistoryAnswer, HistoryQuestion } from "../historyQuestions.js";
import type { PermissionHistory } from "../ports/permissionHistory.js";

/** A stretch of an answer. */
export interface HistoryPageRequest {
  readonly question: HistoryQuestion;
  /** The position as of which the question is asked; the history has reached it. */
  readonly position: number;
  /** Items to pass over. */
  readonly offset: number;
  readonly count: number;
}

export interface HistoryPage extends Pick<HistoryAnswer, "total" | "missing" | "about"> {
  readonly items: readonly object[];
  /** False where the answer ends with this page. */
  readonly hasMore: boolean;
}

/** An answer that somebody is in the middle of. */
interface OpenAnswer {
  readonly answer: HistoryAnswer;
  readonly items: Iterator<object | null>;
  /** Taken already, because a page has to know whether it is the last. */
  ahead: IteratorResult<object | null>;
}

/** The longest that a page keeps others waiting; what is not found by then comes on a later page. */
const longestMs = 250;
/**
 * How many answers are kept for their next page. Any other answer is made again from its beginning, with the same
 * items.
 */
const mostOpen = 16;

/**
 * Cuts answers into pages. An answer as of one position never changes, so pages neither overlap nor miss anything. A
 * page that takes too long ends early, even empty, with `hasMore` set.
 */
export class HistoryPages {
  private readonly open = new Map<string, OpenAnswer>();

  constructor(
    private readonly history: PermissionHistory,
    private readonly now = (): number => performance.now(),
  ) {}

  page(request: HistoryPageRequest): Result<HistoryPage, QueryFailure> {
    const opened = this.take(request) ?? this.start(request);
    if ("ok" in opened) return opened;
    const items: object[] = [];
    const end = this.now() + longestMs;
    for (let { ahead } = opened; ahead.done !== true && this.now() < end; ahead = opened.ahead) {
      if (items.length === request.count && ahead.value !== null) break;
      if (ahead.value !== null) items.push(ahead.value);
      opened.ahead = opened.items.next();
    }
    const hasMore = opened.ahead.done !== true;
    if (hasMore) this.keep(keyOf({ ...request, offset: request.offset + items.length }), opened);
    const { items: _items, ...told } = opened.answer;
    return ok({ items, hasMore, ...told });
  }

  private take(request: HistoryPageRequest): OpenAnswer | undefined {
    const key = keyOf(request);
    const opened = this.open.get(key);
    this.open.delete(key);
    return opened;
  }

  private start({
    question,
    position,
    offset,
  }: HistoryPageRequest): OpenAnswer | Extract<Result<never, QueryFailure>, { readonly ok: false }> {
    const answer = answerHistory(this.history, question, position);
    if (!answer.ok) return answer;
    const items = answer.value.items[Symbol.iterator]();
    let ahead = items.next();
    for (let passed = 0; passed < offset && ahead.done !== true; ahead = items.next())
      if (ahead.value !== null) passed++;
    return { answer: answer.value, items, ahead };
  }

  private keep(key: string, opened: OpenAnswer): void {
    const [oldest] = this.open.keys();
    if (this.open.size >= mostOpen && oldest !== undefined) this.open.delete(oldest);
    this.open.set(key, opened);
  }
}

const keyOf = ({ question, position, offset }: HistoryPageRequest): string =>
  JSON.stringify([position, offset, question]);
