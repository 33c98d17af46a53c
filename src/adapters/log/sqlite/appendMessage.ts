import type { AppendOutcome, AppendRequest } from "../../../../commands/ports.js";
import { currentVersion, type Upcasters } from "../../../events/upcasters.js";
import type { CarriedFile, CarriedText } from "../../../shared/carriedText.js";
import { isDamage, logDamageAdvice, ClockBehind, EngineUnavailable, DiskFull } from "../../../shared/failures.js";
import { toPosition, type ExpectedRevision } from "../../../shared/position.js";
import { codeOfStream } from "./logSchema.js";

/**
 * Appends on their way to the writer thread, one after the other in one flat list. Cloning it costs half of what the
 * same requests cost as objects (1.0 against 2.2 microseconds each).
 */
export type AppendMessage = (CarriedText | CarriedFile | number)[];

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly metadata: string;
  /** The time in it, in epoch milliseconds. */
  readonly time: number;
}

export interface EncodedContent {
  readonly stream: string;
  readonly sha256: string;
  readonly text: CarriedText | CarriedFile;
}

/** An append as the writer thread sees it: events are JSON already, revisions are numbers. */
export interface EncodedAppend {
  readonly stream: string;
  readonly category: number;
  /** -1: there is no stream. */
  readonly expected: number;
  readonly events: readonly EncodedEvent[];
  readonly contents: readonly EncodedContent[];
}

const encodeRevision = (revision: ExpectedRevision): number => (revision === "noStream" ? -1 : revision);
const decodeRevision = (revision: number): ExpectedRevision => (revision === -1 ? "noStream" : revision);

/** Adds one request to the message. Where it throws, the message stays as it was. */
export function addAppend(message: AppendMessage, request: AppendRequest, upcasters: Upcasters): void {
  const before = message.length;
  try {
    const contents = request.contents ?? [];
    const expected = encodeRevision(request.expectedRevision);
    message.push(request.stream, codeOfStream(request.stream), expected, request.events.length, contents.length);
    for (const { id, event, metadata } of request.events) {
      message.push(
        id,
        event.type,
        currentVersion(event.type, upcasters),
        JSON.stringify(event.data),
        JSON.stringify(metadata),
        Date.parse(metadata.at),
      );
    }
    for (const { stream, reference, text } of contents) message.push(stream, reference.sha256, text);
  } catch (error) {
    message.length = before;
    throw error;
  }
}

/** The appends of a message, in the order they were added. */
export function* readAppends(message: AppendMessage): Generator<EncodedAppend> {
  let at = 0;
  const string = (): string => message[at++] as string;
  const number = (): number => message[at++] as number;
  while (at < message.length) {
    const [stream, category, expected, eventCount, contentCount] = [string(), number(), number(), number(), number()];
    const events: EncodedEvent[] = [];
    for (let index = 0; index < eventCount; index++) {
      events.push({
        id: string(),
        type: string(),
        version: number(),
        data: string(),
        metadata: string(),
        time: number(),
      });
    }
    const contents: EncodedContent[] = [];
    for (let index = 0; index < contentCount; index++)
      contents.push({ stream: string(), sha256: string(), text: message[at++] as EncodedContent["text"] });
    yield { stream, category, expected, events, contents };
  }
}

export const outcomeKinds = { appended: 0, conflict: 1, failed: 2 } as const;

/** What one commit answers, in the order of the requests: kind, revision and position of each, flat. */
export interface OutcomeMessage {
  readonly outcomes: readonly number[];
  /** Why requests of kind `failed` failed, in order. */
  readonly errors: readonly AppendFailure[];
}

/** An error on its way between threads, which keeps no class and no code. */
interface AppendFailure {
  readonly message: string;
  /** SQLite's, or the name of an error that is told as it is; null: it was another error. */
  readonly code: string | null;
}

function errorOf({ message, code }: AppendFailure): Error {
  if (code === "ClockBehind") return new ClockBehind(message);
  if (code === "LogExchanged") return new EngineUnavailable(message);
  if (isDamage({ code })) return new EngineUnavailable(logDamageAdvice);
  return (code === null ? null : engineFailure(code, message)) ?? new Error(message);
}

/** Calls back for each outcome, in order. */
export function forEachOutcome(message: OutcomeMessage, callback: (outcome: AppendOutcome | Error) => void): void {
  const { outcomes, errors } = message;
  let failures = 0;
  for (let at = 0; at < outcomes.length; at += 3) {
    const [kind, revision, position] = [outcomes[at], outcomes[at + 1] as number, outcomes[at + 2] as number];
    if (kind === outcomeKinds.appended) callback({ kind: "appended", revision, position: toPosition(position) });
    else if (kind === outcomeKinds.conflict) callback({ kind: "conflict", actualRevision: decodeRevision(revision) });
    else callback(errorOf(errors[failures++] ?? { message: "The append failed.", code: null }));
  }
}

const faultsOfTheRequest = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/;
/** The second one: the file that the processes share in memory could not grow. */
const noRoom = /^SQLITE_(FULL|IOERR_SHMSIZE)/;

/** The error of a write that the disk, a lock or the file is to blame for, by SQLite's code; null: the request is. */
function engineFailure(code: string, message: string, cause?: unknown): EngineUnavailable | null {
  if (faultsOfTheRequest.test(code)) return null;
  const Failure = noRoom.test(code) ? DiskFull : EngineUnavailable;
  return Object.assign(new Failure(message, { cause }), { code });
}
