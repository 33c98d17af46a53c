import type { Landmark } from "../../../events/eventSource.js";
import { beginning, toPosition, type Position } from "../../../shared/position.js";
import type { ParkedEvent } from "../../../../projections/ports.js";
import type { RedisCommand } from "../../redis/redisConnection.js";
import { stateField } from "./rowKeys.js";

/** How far one read model has come. */
export interface ReadModelState {
  /** Everything up to and including this position is in it. */
  readonly checkpoint: Position;
  /**
   * `{count}-{nonce}`, new with every commit that changed something. The count goes up. The nonce tells apart two
   * versions with the same count, which a Redis that forgot its last commits would give out.
   */
  readonly version: string;
}

/** The version of a read model in which nothing was changed yet. */
export const firstVersion = "0-0";

const nothingYet: ReadModelState = { checkpoint: beginning, version: firstVersion };

/** Reads `{checkpoint}/{version}`, as the commit script writes it. */
export function parseReadModelState(text: string | null): ReadModelState {
  if (text === null) return nothingYet;
  const at = text.indexOf("/");
  return { checkpoint: toPosition(BigInt(text.slice(0, at))), version: text.slice(at + 1) };
}

/** The field of the state that holds a read model's landmark. */
export const landmarkField = (projection: string): string => `${stateField(projection)}:landmark`;

/** `{position}/{id}`; empty for none. */
export const formatLandmark = (landmark: Landmark | null): string =>
  landmark === null ? "" : `${landmark.position}/${landmark.id}`;

export function parseLandmark(text: string | null): Landmark | null {
  if (text === null || text === "") return null;
  const at = text.indexOf("/");
  return { position: toPosition(BigInt(text.slice(0, at))), id: text.slice(at + 1) };
}

/** How many commits changed something, up to and including this version. */
export const countOf = (version: string): number => Number(version.slice(0, version.indexOf("-")));

/** The command that parks these events. A projection's parked events are a hash: position -> JSON. */
export const parkingOf = (key: string, parked: readonly ParkedEvent[]): RedisCommand => [
  "HSET",
  key,
  ...parked.flatMap(({ position, ...rest }) => [position.toString(), JSON.stringify(rest)]),
];

/** The parked events of a hash, in log order. Redis answers with fields and values in turns. */
export const toParkedEvents = (flat: readonly Buffer[]): readonly ParkedEvent[] =>
  flat
    .flatMap((field, place) => (place % 2 === 0 ? [toParkedEvent(String(field), String(flat[place + 1]))] : []))
    .sort((a, b) => (a.position < b.position ? -1 : 1));

const toParkedEvent = (position: string, json: string): ParkedEvent => ({
  ...(JSON.parse(json) as Omit<ParkedEvent, "position">),
  position: toPosition(BigInt(position)),
});
