import {
  AccessDeniedError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { withTimeout as withTimeoutOrElse } from "../../../shared/waiting.js";

const invalidArgument = 3;
const permissionDenied = 7;
const unauthenticated = 16;

/** The stream was deleted for good. */
export class StreamTombstoned extends Error {}

/** The stream does not exist, was deleted, or was tombstoned. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError || error instanceof StreamTombstoned;

export const isConflict = (error: unknown): error is WrongExpectedVersionError =>
  error instanceof WrongExpectedVersionError;

/** The server read the request, and will not take it however often it is sent. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AppendRefused || isAccessDenied(error) || codeOf(error) === invalidArgument;

/** The server will not take this append. The message is what follows "because". */
export class AppendRefused extends Error {}

/** More than the server takes in one append; nothing was written. */
export class AppendTooLarge extends AppendRefused {
  constructor(readonly maxBytes: number) {
    super(`it is more than the ${maxBytes} bytes that the server takes at once`);
  }
}

/** The user or the password is wrong, or the user may not do this. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof AccessDeniedError || codeOf(error) === permissionDenied || codeOf(error) === unauthenticated;

/** The position asked for is not where a record of this log begins. */
export const isForeignPosition = (error: unknown): boolean =>
  codeOf(error) === invalidArgument || /InvalidPosition/.test(messageOf(error));

/**
 * A sentence without its full stop. The client's own messages name hosts and ports, never credentials; some are empty.
 */
export function reasonOf(error: unknown): string {
  if (isAccessDenied(error))
    return "the event store does not accept the user and password, or the user may not do this";
  const message = messageOf(error).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return message === "" ? nameOf(error) : message;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : String(error));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");
const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** Fails after this many milliseconds, whatever the promise does; its later outcome is ignored. */
export const withinDeadline = <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> =>
  withTimeoutOrElse(milliseconds, promise, () => new Error(`no answer within ${Math.round(milliseconds)} ms`));
