import type { ParkedEvent } from "../../projections/ports.js";
import type { Checkpointed } from "../../queries/ports.js";
import type { Position } from "../shared/position.js";
import type { ReadModel } from "./readModel.js";

/** What is served of one read model. */
export interface ServedReadModel<Reader extends Checkpointed = Checkpointed> {
  readonly readModel: ReadModel<Reader>;
  version(): number;
  /** What its projection could not apply. */
  parked(): Promise<readonly ParkedEvent[]>;
  /** Each call asks the version that is served at the time. For callers of a few questions; more use a reader set. */
  readonly reader: Reader;
}

/** The read models that this process answers from, by their names. */
export class ServedReadModels {
  private readonly byName: ReadonlyMap<string, ServedReadModel>;

  constructor(all: readonly ServedReadModel[]) {
    this.byName = new Map(all.map((one) => [one.readModel.name, one]));
  }

  /** null: nobody is answered from a read model of this name. */
  named(name: string): ServedReadModel | null {
    return this.byName.get(name) ?? null;
  }

  /** The positions of those that are asked for. */
  async positions(isWanted: (readModel: ReadModel) => boolean): Promise<Readonly<Record<string, Position>>> {
    const wanted = [...this.byName.values()].filter(({ readModel }) => isWanted(readModel));
    const positions = wanted.map(async ({ readModel, reader }) => [readModel.name, await reader.position()] as const);
    return Object.fromEntries(await Promise.all(positions));
  }
}

/** How a reader of whatever is served is asked. */
interface AskCurrent<Reader> {
  /** Whichever is served now. */
  current(): Reader;
  /** Asks a question of one version. */
  use<Answer>(ask: (reader: Reader) => Promise<Answer>): Promise<Answer>;
  reached(position: Position, timeoutMs: number): Promise<boolean>;
}

/** A reader that hands each call to the version that is served at the time. */
export function currentReader<Reader extends Checkpointed>({ current, use, reached }: AskCurrent<Reader>): Reader {
  const ask = (method: string, given: readonly unknown[]): Promise<unknown> =>
    method === "reached"
      ? reached(given[0] as Position, given[1] as number)
      : use(async (reader) => methodOf(reader, method)?.apply(reader, [...given]));
  return new Proxy(current(), {
    get: (_, method) =>
      typeof method === "string" && methodOf(current(), method) !== undefined
        ? (...given: readonly unknown[]) => ask(method, given)
        : undefined,
  });
}

const methodOf = (reader: object, name: string): ((...given: readonly unknown[]) => unknown) | undefined => {
  const value = (reader as Readonly<Record<string, unknown>>)[name];
  return typeof value === "function" ? (value as (...given: readonly unknown[]) => unknown) : undefined;
};
