import type { Position, Revision } from "./position.js";

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
