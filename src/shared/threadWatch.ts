import { ReadModelUnavailable } from "./readModelUnavailable.js";

/** Thrown where the thread that was to answer has ended. It is started again; whoever asked is told to come back. */
export class ThreadEnded extends ReadModelUnavailable {}

/** Knows which threads of this process have ended and are not at work again. Until then the process is not ready. */
export class ThreadWatch {
  private readonly missing = new Map<object, string>();

  /** Calls back with each end that nobody has asked for: the name of the thread, and why. */
  constructor(private readonly onEnded: (name: string, reason: Error) => void = () => undefined) {}

  ended(thread: object, name: string, reason: Error): void {
    this.missing.set(thread, name);
    this.onEnded(name, reason);
  }

  /** It works again, or is not needed any more. */
  noteBack(thread: object): void {
    this.missing.delete(thread);
  }

  /** The names of those that are away, sorted. */
  away(): readonly string[] {
    return [...this.missing.values()].sort();
  }
}
