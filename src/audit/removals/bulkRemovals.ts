import type { BulkRemoval } from "../../readModels/projectionStatus.js";
import type { Holdings, Removal, Removals } from "../ports/permissionHistory.js";

/** A push is what one credential does to one datasource without a pause as long as this. */
const longestPauseMs = 10 * 60_000;

/** A larger part than this of a datasource's documents, or of its grants, is a bulk. */
const bulkPart = 0.2;

/** In a datasource with a handful of documents any removal is a large part, so fewer than these are not bulk. */
const fewestRemoved = 5;

/** How long a bulk removal is told. */
const toldMs = 7 * 24 * 60 * 60_000;

interface Push {
  readonly by: string;
  readonly incarnation: number;
  readonly from: number;
  to: number;
  at: number;
  documents: number;
  grants: number;
  /** Before the push; null while too little was removed to count that. */
  before: Holdings | null;
}

/**
 * Finds pushes that removed more than a fifth of a datasource's documents or grants: likely a sync that took a partial
 * fetch for everything. Follows the permission history, a little with every look.
 */
export class BulkRemovals {
  private readonly pushes = new Map<string, Push>();
  private found: Push[] = [];
  private position: number | null = null;
  private looking: Promise<readonly BulkRemoval[]> | null = null;

  constructor(
    private readonly removals: Removals,
    private readonly now: () => number,
    private readonly rest: () => Promise<void>,
  ) {}

  /** The bulk removals of the last seven days, the oldest first. Callers that come meanwhile wait for the same look. */
  list(): Promise<readonly BulkRemoval[]> {
    this.looking ??= this.look().finally(() => (this.looking = null));
    return this.looking;
  }

  private async look(): Promise<readonly BulkRemoval[]> {
    const since = this.now() - toldMs;
    let at = this.position ?? this.removals.positionAt(since) - 1;
    for (let isEnd = false; !isEnd;) {
      const step = this.removals.after(at);
      for (const removal of step.removals) this.follow(removal);
      at = step.position;
      this.position = at;
      isEnd = step.isEnd;
      await this.rest();
    }
    this.found = this.found.filter((push) => push.at >= since);
    return this.found.filter(isBulk).map(describe);
  }

  private follow({ position, at, by, incarnation, documents, grants }: Removal): void {
    const key = `${by} ${incarnation}`;
    const known = this.pushes.get(key);
    const push =
      known !== undefined && at - known.at <= longestPauseMs
        ? known
        : this.begin(key, { by, incarnation, from: position, to: position, at, documents: 0, grants: 0, before: null });
    push.to = position;
    push.at = Math.max(push.at, at);
    push.documents += documents;
    push.grants += grants;
    if (push.before === null && Math.max(push.documents, push.grants) >= fewestRemoved)
      push.before = this.removals.before(incarnation, push.from);
  }

  private begin(key: string, push: Push): Push {
    this.pushes.set(key, push);
    this.found.push(push);
    return push;
  }
}

const isBulkOf = (removed: number, of: number): boolean => removed >= fewestRemoved && removed > bulkPart * of;

const isBulk = ({ documents, grants, before }: Push): boolean =>
  before !== null && (isBulkOf(documents, before.documents) || isBulkOf(grants, before.grants));

const describe = ({ by, from, to, at, documents, grants, before }: Push): BulkRemoval => ({
  datasource: before?.datasource ?? "",
  credential: by,
  from: String(from),
  to: String(to),
  at: new Date(at).toISOString(),
  documents: { removed: documents, of: before?.documents ?? 0 },
  grants: { removed: grants, of: before?.grants ?? 0 },
});
