import type { ParkedEvent } from "../../../../projections/ports.js";
import { toPosition } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";

/** The parked events of a projection are a hash: position -> JSON. Puts these into it. */
export const parkingOf = (key: string, parked: readonly ParkedEvent[]): RedisCommand => [
  "HSET",
  key,
  ...parked.flatMap(({ position, ...rest }) => [position.toString(), JSON.stringify(rest)]),
];

/** What the hash holds, as Redis answers it: fields and values in turns. In log order. */
export const toParkedEvents = (flat: readonly Buffer[]): readonly ParkedEvent[] =>
  flat
    .flatMap((field, place) => (place % 2 === 0 ? [toParkedEvent(String(field), String(flat[place + 1]))] : []))
    .sort((a, b) => (a.position < b.position ? -1 : 1));

const toParkedEvent = (position: string, json: string): ParkedEvent => ({
  ...(JSON.parse(json) as Omit<ParkedEvent, "position">),
  position: toPosition(BigInt(position)),
});
