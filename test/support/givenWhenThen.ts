import { expect } from "chai";
import type { Decision } from "../../commands/aggregate.js";
import type { Rejection } from "../../commands/rejection.js";
import type { DomainEvent } from "../../src/events/domainEvent.js";
import { toPosition, type Position } from "../../src/shared/position.js";

/** A decider: pure functions alone. */
export interface DeciderUnderTest<State, Event extends DomainEvent, Command> {
  initialState(): State;
  evolve(state: State, event: Event, position: Position): State;
  decide(command: Command, state: State): Decision<Event>;
}

/** The state after a history whose events stand at positions 1, 2, 3, … */
export const foldOf = <State, Event extends DomainEvent>(
  { initialState, evolve }: Pick<DeciderUnderTest<State, Event, never>, "initialState" | "evolve">,
  history: readonly Event[],
): State => history.reduce((state, event, index) => evolve(state, event, toPosition(index + 1)), initialState());

export interface When<Event extends DomainEvent> {
  /** These events, and nothing else, follow. */
  then(events: readonly Event[]): void;
  /** The command is refused, by this type or by exactly this rejection. */
  thenRejected(rejection: Rejection | Rejection["type"]): void;
  /** What the command asks for is so already. */
  thenNothing(): void;
}

/** `given(events).when(command).then(events)` for one decider. */
export function deciderScenarios<State, Event extends DomainEvent, Command>(
  decider: DeciderUnderTest<State, Event, Command>,
) {
  return (history: readonly Event[]) => ({
    when(command: Command): When<Event> {
      const state = foldOf(decider, history);
      const decision = decider.decide(command, state);
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- reads as the sentence that it is: given, when, then
        then: (events) => expect(decision).to.deep.equal({ ok: true, value: events }),
        thenRejected: (rejection) => {
          if (decision.ok) return expect.fail(`Not rejected: ${JSON.stringify(decision.value)}`);
          expect(typeof rejection === "string" ? decision.error.type : decision.error).to.deep.equal(rejection);
        },
        thenNothing: () => expect(decision).to.deep.equal({ ok: true, value: [] }),
      };
    },
  });
}
