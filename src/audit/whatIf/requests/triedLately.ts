import { createHash } from "node:crypto";
import type { TriedOutcome, TriedRequest } from "../../auditQueries.js";
import type { DomainEvent } from "../../../events/domainEvent.js";
import type { PageToken } from "../../../shared/pageToken.js";
import type { Position } from "../../../shared/position.js";

/** What came of requests that were tried. */
export interface Tried {
  /** Up to where the log counted. */
  readonly position: Position;
  /** In epoch milliseconds. */
  readonly time: number | null;
  readonly outcomes: TriedOutcome[];
  readonly events: readonly DomainEvent[];
  /** null: not counted yet. */
  readonly totals: { readonly gains: number; readonly losses: number } | null;
}

/** Somebody is in the middle of as many; others are tried again, which takes longer and comes to the same. */
const mostKept = 8;

/** What was tried for a page that is not the last: the next one need not try it again. */
export class TriedLately {
  private readonly kept = new Map<string, Tried>();

  find(requests: readonly TriedRequest[], next: PageToken | null): Tried | null {
    return next === null ? null : (this.kept.get(keyOf(requests, next.position)) ?? null);
  }

  keep(requests: readonly TriedRequest[], tried: Tried): void {
    const key = keyOf(requests, tried.position);
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= mostKept && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, tried);
  }
}

const keyOf = (requests: readonly TriedRequest[], position: Position): string =>
  `${position} ${createHash("sha256").update(JSON.stringify(requests)).digest("base64")}`;
