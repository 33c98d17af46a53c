import type { ParkedEvent } from "../../../../projections/ports.js";
import { toPosition } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";

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
