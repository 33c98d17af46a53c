import type { DomainEvent } from "../src/events/domainEvent.js";
import type { StreamName } from "../src/events/streams.js";
import { beginning, laterOf, type Position } from "../src/shared/position.js";
import { failed, ok, type Result } from "../src/shared/result.js";
import type { Aggregate, Decision } from "./aggregate.js";
import type { CommandContext, CommandResult, Written } from "./command.js";
import type { AppendOutcome, EventLog, NewContent, NewEvent } from "./ports.js";
import type { Rejection } from "./rejection.js";
import { emptyStream, StreamStates, type PreloadedState, type Snapshot } from "./streamStates.js";
import { LRUCache } from "lru-cache";

/** What a command leads to on a given state. */
export interface Decided<Event extends DomainEvent, Value> {
  readonly events: readonly Event[];
  readonly contents?: readonly NewContent[];
  readonly value: Value;
}

/** A decision together with what the client is told of it. */
export const replyWith = <Event extends DomainEvent, Value>(
  decision: Decision<Event>,
  value: Value,
): Result<Decided<Event, Value>, Rejection> => (decision.ok ? ok({ events: decision.value, value }) : decision);

/**
 * A command on its way to one stream. `decide` may be asked again, on a newer state, after another writer was faster.
 */
interface StreamCommand<State, Event extends DomainEvent, Value> {
  readonly aggregate: Aggregate<State, Event>;
  readonly stream: StreamName;
  readonly context: CommandContext;
  /** Up to where the log counts in what the caller read elsewhere for the decision. Left out: nothing was. */
  readonly readElsewhereUpTo?: Position;
  /** `position` is where the newest event stands that the state was read from; null: there is none. */
  decide(state: State, position: Position | null): Result<Decided<Event, Value>, Rejection>;
}

interface HandlerOptions {
  readonly log: EventLog;
  now(): Date;
  newEventId(): string;
  /** How often a command is decided before `TooMuchContention`; only other processes can make it necessary. */
  readonly maxAttempts: number;
  /** Left out: every stream is read from its beginning. */
  readonly preloadedState?: PreloadedState;
}

/** A command whose reply is outstanding. */
interface PendingCommand<State, Event extends DomainEvent, Value> extends StreamCommand<State, Event, Value> {
  /** The same at every attempt, so that an append that is repeated is recognized. */
  readonly eventIds: string[];
  /** Counts the commands of this process. */
  readonly arrival: number;
  resolve(reply: Result<Written<Value>, Rejection>): void;
  reject(error: unknown): void;
}

type AnyPendingCommand = PendingCommand<unknown, DomainEvent, unknown>;

/** Commands that were decided one on top of the other, to be appended together. */
interface CommandBatch<State, Event> {
  /** The state with `folded`, and without `unfolded`. */
  readonly state: State;
  /** The events that later commands were decided on. */
  readonly folded: readonly Event[];
  /** The events of the last command that had any. */
  readonly unfolded: readonly Event[];
  readonly events: readonly NewEvent[];
  readonly contents: readonly NewContent[];
  /** One for each command, in order. */
  readonly replies: readonly Result<unknown, Rejection>[];
}

/** At most this many commands share an append: they come to a quarter of a log server's limit of one mebibyte. */
const maxCommandsPerAppend = 256;

/**
 * Load, fold, decide, append. Commands to one stream are handled in the order in which they came, so clients of this
 * process never conflict with each other: the loser of a race is decided on what the winner did. Where another process
 * appended first, the command is decided again with that process's events.
 */
export class CommandHandler {
  private readonly states: StreamStates;
  private readonly queues = new Map<StreamName, AnyPendingCommand[]>();
  private readonly reads = new Map<StreamName, Promise<Snapshot<unknown>>>();
  private readonly forecast: OptimisticAppends;
  /** The position of the newest event that this process has read for a command, here or elsewhere, or appended. */
  private newest: Position | null = null;
  private arrivals = 0;

  constructor(private readonly options: HandlerOptions) {
    this.states = new StreamStates(options.log, options.preloadedState);
    this.forecast = new OptimisticAppends(() => options.now().getTime());
  }

  /**
   * The state as of now, without waiting for commands; only for an aggregate that never changes its state in place, or
   * whose events may be evolved again and in any order.
   * Callers that go on at the same moment, because one commit resolved their commands, share a read: all of them asked
   * before it began.
   */
  read<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    const underWay = this.reads.get(stream);
    if (underWay !== undefined) return underWay as Promise<Snapshot<State>>;
    const read = this.load(aggregate, stream);
    this.reads.set(stream, read);
    // Runs after everything that goes on now, and before anything new arrives.
    process.nextTick(() => this.reads.delete(stream));
    return read;
  }

  /**
   * Resolves once the events are durable. `position` is that of the newest event that any command of this process has
   * read or written by then: a reply never names less than what its decision rests on, or than a reply before it.
   */
  handle<State, Event extends DomainEvent, Value>(command: StreamCommand<State, Event, Value>): CommandResult<Value> {
    this.see(command.readElsewhereUpTo ?? null);
    return new Promise((resolve, reject) => {
      const pending = {
        ...command,
        arrival: ++this.arrivals,
        eventIds: [],
        resolve,
        reject,
      } as unknown as AnyPendingCommand;
      const queue = this.queues.get(command.stream);
      if (queue !== undefined) {
        queue.push(pending);
        return;
      }
      const newQueue = [pending];
      this.queues.set(command.stream, newQueue);
      void this.drain(command.stream, newQueue);
    });
  }

  private async drain(stream: StreamName, queue: AnyPendingCommand[]): Promise<void> {
    let mayBeNew = true;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const { aggregate } = next;
      const commands = queue.splice(0, aggregate.retract === undefined ? 1 : maxCommandsPerAppend);
      try {
        const isDone =
          mayBeNew && aggregate.latestKnownEvent === true && (await this.handleAsNew(aggregate, stream, commands));
        if (!isDone) await this.handleBatch(aggregate, stream, commands);
        mayBeNew = false;
      } catch (error) {
        this.states.forget(stream);
        for (const command of commands) command.reject(error);
      }
    }
    this.queues.delete(stream);
  }

  /**
   * Decides without a read where the stream is guessed to be new; the append's expected revision tells whether it was.
   * False where the commands are still to be handled.
   */
  private async handleAsNew<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): Promise<boolean> {
    const guess = this.forecast.guess(stream);
    if (guess === null) return false;
    let wasNew: boolean | null = null;
    try {
      const snapshot = emptyStream(aggregate);
      const batch = this.decideInTurn(aggregate, snapshot, commands);
      if (batch.events.length === 0) return false;
      const outcome = await this.append(stream, snapshot, batch, commands[0]?.arrival);
      if (outcome.kind === "tooLarge") return false;
      wasNew = outcome.kind === "appended";
      if (outcome.kind === "appended") this.resolveAll(commands, batch.replies, outcome.position);
      return wasNew;
    } finally {
      guess.resolve(wasNew);
    }
  }

  private async handleBatch<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): Promise<void> {
    for (let attempt = 0; attempt < this.options.maxAttempts; attempt++) {
      const snapshot = await this.load(aggregate, stream);
      if (aggregate.latestKnownEvent === true && attempt === 0) this.forecast.learn(stream, snapshot.revision === -1);
      const batch = this.decideInTurn(aggregate, snapshot, commands);
      if (batch.events.length === 0) return this.resolveAll(commands, batch.replies, snapshot.position);
      const outcome = await this.append(stream, snapshot, batch, commands[0]?.arrival);
      if (outcome.kind === "appended") {
        const { revision, position } = outcome;
        const state = foldAt(aggregate, batch.state, batch.unfolded, position);
        this.states.remember(aggregate, stream, { state, revision, position });
        return this.resolveAll(commands, batch.replies, position);
      }
      const state = batch.folded.reduceRight((later, event) => aggregate.retract?.(later, event) ?? later, batch.state);
      this.states.remember(aggregate, stream, { ...snapshot, state });
      if (outcome.kind === "tooLarge") return this.handleEach(aggregate, stream, commands, outcome);
    }
    for (const command of commands) command.resolve(failed({ type: "TooMuchContention", stream }));
  }

  /** A batch that is too large is retried one command at a time. */
  private async handleEach<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
    commands: readonly PendingCommand<State, Event, unknown>[],
    { bytes, maxBytes }: Extract<AppendOutcome, { readonly kind: "tooLarge" }>,
  ): Promise<void> {
    const [only, ...others] = commands;
    if (others.length === 0) return only?.resolve(failed({ type: "TooLarge", bytes, maxBytes }));
    for (const command of commands) await this.handleBatch(aggregate, stream, [command]);
  }

  private append(
    stream: StreamName,
    { revision }: Snapshot<unknown>,
    { events, contents }: CommandBatch<unknown, unknown>,
    arrival: number | undefined,
  ): Promise<AppendOutcome> {
    const expectedRevision = revision === -1 ? "noStream" : revision;
    const withContents = contents.length > 0 && { contents };
    return this.options.log.append({ stream, expectedRevision, events, ...withContents, arrival });
  }

  private decideInTurn<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    { state: from, position }: Snapshot<State>,
    commands: readonly PendingCommand<State, Event, unknown>[],
  ): CommandBatch<State, Event> {
    const folded: Event[] = [];
    const events: NewEvent[] = [];
    const contents: NewContent[] = [];
    const replies: Result<unknown, Rejection>[] = [];
    let state = from;
    let unfolded: readonly Event[] = [];
    for (const command of commands) {
      state = foldAt(aggregate, state, unfolded, position ?? beginning);
      folded.push(...unfolded);
      const decision = command.decide(state, position);
      const isWritten = decision.ok && command.context.dryRun !== true;
      unfolded = isWritten ? decision.value.events : [];
      if (unfolded.length > 0) events.push(...this.toNewEvents(command, unfolded));
      if (isWritten && decision.value.contents !== undefined) contents.push(...decision.value.contents);
      replies.push(decision.ok ? ok(decision.value.value) : decision);
    }
    return { state, folded, unfolded, events, contents, replies };
  }

  private toNewEvents(
    { eventIds, context }: Pick<AnyPendingCommand, "eventIds" | "context">,
    events: readonly DomainEvent[],
  ): NewEvent[] {
    const { by, correlationId, causationId = correlationId } = context;
    const metadata = { at: this.options.now().toISOString(), by, correlationId, causationId };
    return events.map((event, index) => ({ id: (eventIds[index] ??= this.options.newEventId()), event, metadata }));
  }

  private async load<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: StreamName,
  ): Promise<Snapshot<State>> {
    const snapshot = await this.states.load(aggregate, stream);
    this.see(snapshot.position);
    return snapshot;
  }

  private resolveAll(
    commands: readonly Pick<AnyPendingCommand, "resolve">[],
    replies: readonly Result<unknown, Rejection>[],
    seen: Position | null,
  ): void {
    this.see(seen);
    const position = this.newest;
    for (const [index, reply] of replies.entries())
      commands[index]?.resolve(reply.ok ? ok({ value: reply.value, position }) : reply);
  }

  private see(position: Position | null): void {
    if (position !== null) this.newest = this.newest === null ? position : laterOf(this.newest, position);
  }
}

const foldAt = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  from: State,
  events: readonly Event[],
  position: Position,
): State => events.reduce((state, event) => aggregate.evolve(state, event, position), from);

/** What is known of a family of streams. */
interface Family {
  /** How many streams in a row, up to the last one, were new. */
  newInARow: number;
  /** Guesses whose outcome is not known yet. */
  underWay: number;
  at: number;
}

/** A guess that a stream is new, to be told its outcome. */
interface NewStreamGuess {
  /** True where the stream was new, false where it was not; null where that did not come to light. */
  resolve(wasNew: boolean | null): void;
}

const rememberedFamilies = 1_000;
/** Guessing begins after this many new streams in a row. */
const guessFrom = 32;
/** The most guesses under way: where one is wrong, the others are likely to be wrong too. */
const mostUnderWay = 512;
/** After a pause the next commands are likely of another kind: a sync after an import. */
const forgottenAfterMs = 5_000;

/**
 * Guesses which streams are new from what was found of others of their family (the documents of one datasource). In an
 * import nearly all are new, and reading each before it is written costs a third of the import. In a sync hardly any
 * is, and a wrong guess costs an append. So at most as many guesses are under way as there were new streams in a row,
 * and the first wrong guess ends them.
 */
export class OptimisticAppends {
  private readonly families = new LRUCache<string, Family>({ max: rememberedFamilies });

  constructor(private readonly now: () => number) {}

  /** null where the stream had better be read. */
  guess(stream: StreamName): NewStreamGuess | null {
    const family = this.familyOf(stream);
    if (family.newInARow < guessFrom || family.underWay >= Math.min(family.newInARow, mostUnderWay)) return null;
    family.underWay++;
    return {
      resolve: (wasNew) => {
        family.underWay--;
        if (wasNew !== null) this.note(family, wasNew);
      },
    };
  }

  /** Takes note of whether a stream that was read is new. */
  learn(stream: StreamName, wasNew: boolean): void {
    this.note(this.familyOf(stream), wasNew);
  }

  private note(family: Family, wasNew: boolean): void {
    family.newInARow = wasNew ? family.newInARow + 1 : 0;
    family.at = this.now();
  }

  private familyOf(stream: StreamName): Family {
    const name = stream.slice(0, stream.indexOf(":") + 1);
    const known = this.families.get(name);
    if (known !== undefined && this.now() - known.at < forgottenAfterMs) return known;
    const family = { newInARow: 0, underWay: 0, at: this.now() };
    this.families.set(name, family);
    return family;
  }
}

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
