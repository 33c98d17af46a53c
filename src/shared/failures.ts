import type { Position, Revision } from "./position.js";

/**
 * Thrown by an adapter where the engine is at fault (down, full, locked) and not the request. A projection waits and
 * tries again; the sender of a command is told to come back (503). Any other error of a projection parks the event.
 */
export class EngineUnavailable extends Error {
  override readonly name: string = "EngineUnavailable";
}

/** The disk that the engine writes to is full. Nothing of what was asked is written. */
export class DiskFull extends EngineUnavailable {
  override readonly name: string = "DiskFull";
}

/** The disk has room, which is kept for what has to be written even now. Nothing of what was asked is written. */
export class DiskReserved extends DiskFull {
  override readonly name = "DiskReserved";
}

/** The clock of this machine is far behind the newest event of the log. Nothing of what was asked is written. */
export class ClockBehind extends EngineUnavailable {
  override readonly name = "ClockBehind";
}

/**
 * Thrown by a reader where its engine cannot answer now: it is down, or it lost what it held and is being filled again.
 * It never means "no": the client is told to come back (503), also where a credential is checked.
 */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";

  /** `retryAfterSeconds` is when to ask again. */
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Thrown by a reader whose engine answers, but lacks what this one answer rests on. A client is told to come back, as
 * above; a verification takes the document for one that is missing.
 */
export class ReadModelIncomplete extends ReadModelUnavailable {}

/** Thrown where the web cannot be searched now, for no fault of the request: its sender is told to come back (503). */
export class WebSearchUnavailable extends Error {
  override readonly name = "WebSearchUnavailable";

  /** `message` is a sentence for the client. `retryAfterSeconds` is null where nobody knows. */
  constructor(
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Thrown where a file cannot be read now, for no fault of its own: its sender is told to come back (503). */
export class ExtractionBusy extends Error {
  override readonly name = "ExtractionBusy";

  /** `message` is a sentence for the client. */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/**
 * Why nobody could be signed in: the provider does not answer, or does not know this service; it did not prove the
 * person; the answer fits no attempt; or it does not vouch for the email.
 */
type IdentityProviderProblem = "provider_unavailable" | "provider_refused" | "attempt_expired" | "email_not_verified";

/** Thrown where an identity provider proves nobody. `message` is a sentence without anything of the answer. */
export class IdentityProviderFailure extends Error {
  override readonly name = "IdentityProviderFailure";

  constructor(
    readonly problem: IdentityProviderProblem,
    message: string,
  ) {
    super(message);
  }
}

/** How long a `Retry-After` asks to wait, in milliseconds: seconds or a date; null where it says neither. */
export function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/**
 * Thrown at the start where the data folder is not one to work on: there is no data in it, or it is another user's. The
 * message is a sentence that says what to do.
 */
export class UnusableDataFolder extends Error {
  override readonly name = "UnusableDataFolder";
}

/**
 * Thrown where a backup cannot be made or restored as it was asked for; nothing was changed. The message is a sentence.
 */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** Thrown by a log for an event that it holds and this program cannot read: damaged, or written by a newer program. */
export class UnreadableEvent extends Error {
  override readonly name = "UnreadableEvent";
  readonly revision: Revision;
  readonly position: Position;

  constructor(
    message: string,
    {
      revision,
      position,
      cause,
    }: { readonly revision: Revision; readonly position: Position; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.revision = revision;
    this.position = position;
  }
}

/** What the operator is told of a damaged log. */
export const logDamageAdvice =
  "The log is damaged. Stop the service, and restore it from a backup: nothing else holds what it holds.";

/**
 * Whether an error says that a file of SQLite cannot be read any more: it is damaged, or something else. An error that
 * came from another thread may have nothing left but its message.
 */
export function isDamage(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly cause?: unknown;
  };
  if (typeof code === "string" && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) return true;
  if (message === "database disk image is malformed" || message === "file is not a database") return true;
  return cause !== undefined && cause !== null && isDamage(cause);
}
