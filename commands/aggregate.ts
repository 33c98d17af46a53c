import type { DomainEvent } from "../src/events/domainEvent.js";
import type { Position } from "../src/shared/position.js";
import type { Result } from "../src/shared/result.js";
import type { Rejection } from "./rejection.js";

/** What follows from a command: events (none where nothing would change), or why it is refused. */
export type Decision<Event extends DomainEvent> = Result<readonly Event[], Rejection>;

/** So many memberships end in one append at most: they come to half of a log server's limit of one mebibyte. */
export const membershipsPerDeletion = 1_000;

/** How the events of one stream become the state that commands are decided on. Everything in it is pure. */
export interface Aggregate<State, Event extends DomainEvent> {
  initialState(): State;
  /**
   * May change the given state in place and return it: the caller gives the state away. `position` is where the event
   * stands in the log; of several of one append, where the last one does. It is not known yet to an aggregate that
   * takes events back.
   */
  evolve(state: State, event: Event, position: Position): State;
  /**
   * Takes back the newest event that {@link evolve} applied. With it, commands that wait for the same stream are
   * decided one on top of the other and share an append; without it, each command has an append of its own.
   */
  retract?(state: State, event: Event): State;
  /** How much of the cache the state takes: about one per thing that it remembers. */
  cacheCost(state: State): number;
  /** True where the newest event alone gives the state: then only this event is read, and nothing is cached. */
  readonly latestKnownEvent?: boolean;
}
