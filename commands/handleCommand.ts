import type { DomainEvent } from "../src/events/domainEvent.js";
import type { StreamName } from "../src/events/streams.js";
import type { Position } from "../src/shared/position.js";
import { failed, ok, type Result } from "../src/shared/result.js";
import type { Aggregate, Decision } from "./aggregate.js";
import type { CommandContext, CommandResult, Written } from "./commands.js";
import { NewStreamForecast } from "./newStreamForecast.js";
import type { AppendOutcome, EventLog, NewContent, NewEvent } from "./ports.js";
import type { Rejection } from "./rejection.js";
import { emptyStream, StreamStates, type FoldedAhead, type Snapshot } from "./streamStates.js";

/** What a command comes to on a given state. */
export interface Decided<Event extends DomainEvent, Value> {
  readonly events: readonly Event[];
  readonly contents?: readonly NewContent[];
  readonly value: Value;
}

/** A decision with what the client gets to know of it. */
export const answering = <Event extends DomainEvent, Value>(
  decision: Decision<Event>,
  value: Value,
): Result<Decided<Event, Value>, Rejection> => (decision.ok ? ok({ events: decision.value, value }) : decision);

/**
 * A command on its way to one stream. `decide` may be asked again, on a newer state, where another writer was faster.
 */
export interface StreamCommand<State, Event extends DomainEvent, Value> {
  readonly aggregate: Aggregate<State, Event>;
  readonly stream: StreamName;
  readonly context: CommandContext;
  decide(state: State): Result<Decided<Event, Value>, Rejection>;
}

export interface HandlerOptions {
  readonly log: EventLog;
  now(): Date;
  newEventId(): string;
  /** How often a command is decided before `TooMuchContention`; only other processes can make it necessary. */
  readonly maxAttempts: number;
  /** Left out: every stream is folded here. */
  readonly preloadedState?: FoldedAhead;
}

/** Where a command's answer goes. */
interface PendingReply<Value> {
  resolve(result: Result<Written<Value>, Rejection>): void;
  reject(error: unknown): void;
}

interface PendingCommand<State, Event extends DomainEvent, Value>
  extends StreamCommand<State, Event, Value>, PendingReply<Value> {
  /** Stable over attempts. */
  readonly eventIds: string[];
}

type AnyPendingCommand = PendingCommand<unknown, DomainEvent, unknown>;

/** Commands decided one on top of the other. */
interface CommandBatch<State, Event> {
  /** With the events of every command but the last that had any: those are folded in once they are written. */
  readonly state: State;
  readonly folded: readonly Event[];
  readonly unfolded: readonly Event[];
  readonly events: readonly NewEvent[];
  readonly contents: readonly NewContent[];
  readonly answers: readonly Result<unknown, Rejection>[];
}

/** So many commands share an append at most: a quarter of a log server's limit of one mebibyte. */
const maxCommandsPerAppend = 256;

/**
 * Load, fold, decide, append. Commands to one stream are handled in the order in which they came, so clients of this
 * process never conflict with each other: the loser of a race is decided on what the winner did. Another process's
 * append is a conflict, and the command is decided again on what was read on.
 */
export class CommandHandler {
  private readonly states: StreamStates;
  private readonly queues = new Map<StreamName, AnyPendingCommand[]>();
  private readonly reads = new Map<StreamName, Promise<Snapshot<unknown>>>();
  private readonly forecast: NewStreamForecast;

  constructor(private readonly options: HandlerOptions) {
    this.states = new StreamStates(options.log, options.preloadedState);
    this.forecast = new NewStreamForecast(() => options.now().getTime());
  }

  /**
   * A state that evolves without changing in place, as of now; it does not wait for commands. Those that go on
   * together, because one commit answered them, share a read: they were all asked before it.
   */
  read<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    const underWay = this.reads.get(stream);
    if (underWay !== undefined) return underWay as Promise<Snapshot<State>>;
    const read = this.states.load(aggregate, stream);
    this.reads.set(stream, read);
    // Runs once all that goes on now has had its turn, and before anything new arrives.
    process.nextTick(() => this.reads.delete(stream));
    return read;
  }

  /** Resolves once the events are durable. `position` is that of the stream's newest event that the answer rests on. */
  handle<State, Event extends DomainEvent, Value>(command: StreamCommand<State, Event, Value>): CommandResult<Value> {
    return new Promise((resolve, reject) => {
      const waiting = { ...command, eventIds: [], resolve, reject } as unknown as AnyPendingCommand;
      const queue = this.queues.get(command.stream);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      this.queues.set(command.stream, started);
      void this.drain(command.stream, started);
    });
  }

  private async drain(stream: StreamName, queue: AnyPendingCommand[]): Promise<void> {
    let isFirst = true;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const commands = queue.splice(0, next.aggregate.retract === undefined ? 1 : maxCommandsPerAppend);
      try {
        const isSettled =
          isFirst &&
          next.aggregate.latestKnownEvent === true &&
          (await this.settleAsNew(next.aggregate, stream, commands));
        if (!isSettled) await this.settle(next.aggregate, stream, commands);
        isFirst = false;
      } catch (error) {
        this.states.forget(stream);
        for (const command of commands) command.reject(error);
      }
    }
    this.queues.delete(stream);
  }

  /**
   * Decides without a read where the stream is guessed to be new; the append's expected revision tells whether it was.
   */
  private async settleAsNew<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): Promise<boolean> {
    const guess = this.forecast.guess(stream);
    if (guess === null) return false;
    let wasNew: boolean | null = null;
    try {
      const snapshot = emptyStream(aggregate);
      const round = this.decideInTurn(aggregate, snapshot.state, commands);
      if (round.events.length === 0) return false;
      const outcome = await this.append(stream, snapshot, round);
      if (outcome.kind === "tooLarge") return false;
      wasNew = outcome.kind === "appended";
      if (outcome.kind === "appended") answerAll(commands, round.answers, outcome.position);
      return wasNew;
    } finally {
      guess.settle(wasNew);
    }
  }

  private async settle<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): Promise<void> {
    for (let attempt = 0; attempt < this.options.maxAttempts; attempt++) {
      const snapshot = await this.states.load(aggregate, stream);
      if (aggregate.latestKnownEvent === true && attempt === 0) this.forecast.learn(stream, snapshot.revision === -1);
      const round = this.decideInTurn(aggregate, snapshot.state, commands);
      const { events, answers } = round;
      if (events.length === 0) return answerAll(commands, answers, snapshot.position);
      const outcome = await this.append(stream, snapshot, round);
      if (outcome.kind === "appended") {
        const { revision, position } = outcome;
        this.states.remember(aggregate, stream, {
          state: round.unfolded.reduce(aggregate.evolve, round.state),
          revision,
          position,
        });
        return answerAll(commands, answers, position);
      }
      const state = round.folded.reduceRight((later, event) => aggregate.retract?.(later, event) ?? later, round.state);
      this.states.remember(aggregate, stream, { ...snapshot, state });
      if (outcome.kind === "tooLarge") return this.settleEach(aggregate, stream, commands, outcome);
    }
    for (const command of commands) command.resolve(failed({ type: "TooMuchContention", stream }));
  }

  /** Commands that are too large together may be none of it each on its own. */
  private async settleEach<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
    { bytes, maxBytes }: Extract<AppendOutcome, { readonly kind: "tooLarge" }>,
  ): Promise<void> {
    const [only, ...others] = commands;
    if (others.length === 0) return only?.resolve(failed({ type: "TooLarge", bytes, maxBytes }));
    for (const command of commands) await this.settle(aggregate, stream, [command]);
  }

  private append(
    stream: StreamName,
    { revision }: Snapshot<unknown>,
    { events, contents }: CommandBatch<unknown, unknown>,
  ): Promise<AppendOutcome> {
    const expectedRevision = revision === -1 ? "noStream" : revision;
    return this.options.log.append({ stream, expectedRevision, events, ...(contents.length > 0 && { contents }) });
  }

  private decideInTurn<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    from: State,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): CommandBatch<State, Event> {
    const [folded, events, contents, answers]: [Event[], NewEvent[], NewContent[], Result<unknown, Rejection>[]] = [
      [],
      [],
      [],
      [],
    ];
    let state = from;
    let unfolded: readonly Event[] = [];
    for (const command of commands) {
      state = unfolded.reduce(aggregate.evolve, state);
      folded.push(...unfolded);
      const decision = command.decide(state);
      unfolded = decision.ok ? decision.value.events : [];
      if (unfolded.length > 0) events.push(...this.toNewEvents(command, unfolded));
      if (decision.ok && decision.value.contents !== undefined) contents.push(...decision.value.contents);
      answers.push(decision.ok ? ok(decision.value.value) : decision);
    }
    return { state, folded, unfolded, events, contents, answers };
  }

  private toNewEvents(
    { eventIds, context }: Pick<AnyPendingCommand, "eventIds" | "context">,
    events: readonly DomainEvent[],
  ): NewEvent[] {
    const { by, correlationId, causationId = correlationId } = context;
    const metadata = { at: this.options.now().toISOString(), by, correlationId, causationId };
    return events.map((event, index) => ({ id: (eventIds[index] ??= this.options.newEventId()), event, metadata }));
  }
}

function answerAll(
  askers: readonly PendingReply<unknown>[],
  answers: readonly Result<unknown, Rejection>[],
  position: Position | null,
): void {
  for (const [index, answer] of answers.entries()) {
    askers[index]?.resolve(answer.ok ? ok({ value: answer.value, position }) : answer);
  }
}
