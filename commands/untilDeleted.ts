import type { DomainEvent } from "../src/events/domainEvent.js";
import { ok } from "../src/shared/result.js";
import type { Decision } from "./aggregate.js";
import type { CommandResult } from "./command.js";
import { replyWith, type CommandHandler, type StreamCommand } from "./handleCommand.js";

/** A deletion that may take several appends. */
interface Deletion<State, Event extends DomainEvent> extends Pick<
  StreamCommand<State, Event, never>,
  "aggregate" | "stream" | "context"
> {
  decision(state: State): Decision<Event>;
  /** The event that ends it. */
  readonly last: Event["type"];
}

/**
 * Gives the command of a deletion until it has come to its last event. What goes with it goes first, as much at a time
 * as one append can take; where that is cut short, giving the command again does the rest.
 */
export async function untilDeleted<State, Event extends DomainEvent>(
  handler: CommandHandler,
  { aggregate, stream, context, decision, last }: Deletion<State, Event>,
): CommandResult<null> {
  for (;;) {
    const reply = await handler.handle<State, Event, boolean>({
      aggregate,
      stream,
      context,
      decide(state) {
        const decided = decision(state);
        return replyWith(decided, !decided.ok || context.dryRun === true || decided.value.at(-1)?.type === last);
      },
    });
    if (!reply.ok) return reply;
    if (reply.value.value) return ok({ value: null, position: reply.value.position });
  }
}
