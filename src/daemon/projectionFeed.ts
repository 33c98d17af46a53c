import { initialState, type ProjectionState } from "../../commands/projection/versions.js";
import type { ProjectionName } from "../events/projection.js";

/** Which versions of each read model there are now, and word of every change. */
export interface ProjectionFeed {
  of(name: ProjectionName): ProjectionState;
  /** Called after each change, with the projection that it is about. Answers with what ends that. */
  onChange(listener: (name: ProjectionName) => void): () => void;
}

export type ProjectionStateByName = ReadonlyMap<ProjectionName, ProjectionState>;

/** A feed that is told what to say: by who follows the log, or by another thread that does. */
export class ToldProjectionFeed implements ProjectionFeed {
  private readonly states: Map<ProjectionName, ProjectionState>;
  private readonly listeners = new Set<(name: ProjectionName) => void>();

  constructor(states: ProjectionStateByName = new Map()) {
    this.states = new Map(states);
  }

  of(name: ProjectionName): ProjectionState {
    return this.states.get(name) ?? initialState();
  }

  onChange(listener: (name: ProjectionName) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(name: ProjectionName, state: ProjectionState): void {
    this.states.set(name, state);
    for (const listener of [...this.listeners]) listener(name);
  }

  /** The states that a new feed begins with. */
  all(): ProjectionStateByName {
    return this.states;
  }
}

/**
 * Resolves as soon as the state is as wanted; at once where it is, and with the state as it is where the signal aborts.
 */
export function whenState(
  feed: ProjectionFeed,
  name: ProjectionName,
  isWanted: (state: ProjectionState) => boolean,
  signal: AbortSignal,
): Promise<ProjectionState> {
  return new Promise((resolve) => {
    const done = (): void => {
      unsubscribe();
      signal.removeEventListener("abort", done);
      resolve(feed.of(name));
    };
    const look = (changed: ProjectionName): void => {
      if (changed === name && isWanted(feed.of(name))) done();
    };
    const unsubscribe = feed.onChange(look);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted || isWanted(feed.of(name))) done();
  });
}
