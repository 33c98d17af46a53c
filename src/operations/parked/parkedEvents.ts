import type { Position } from "../../shared/position.js";
import { isDiscardable } from "../../events/discardable.js";
import type { ParkedEvent } from "../../readModels/projectionStatus.js";
import type { Patience, VerifiedReadModels } from "../verify/provable.js";

/** An event that could not be applied, and what fails closed meanwhile. */
export interface ParkedEventAnswer {
  position: string;
  stream: string;
  event: string;
  scope: string;
  error: string;
  /** False where leaving it out would let people keep what they have lost. */
  may_be_discarded: boolean;
}

export interface ParkedAnswer {
  projection: string;
  version: number;
  parked: ParkedEventAnswer[];
}

/** The events that projections could not apply. */
export interface ParkedEvents {
  /** In log order; of an unknown projection none. */
  list(projection: string): Promise<ParkedAnswer>;
  /** Waits until what was asked of a projection at this position has been done; false where that took too long. */
  waitUntilProjected(projection: string, position: Position): Promise<boolean>;
}

interface ParkedEventsServices extends VerifiedReadModels {
  readonly patienceMs: Pick<Patience, "repair">;
}

/** Tells what is parked, with what fails closed meanwhile. */
export const createParkedEvents = ({
  readModel,
  versionsOf,
  parked,
  patienceMs,
}: ParkedEventsServices): ParkedEvents => ({
  list: async (projection) => ({
    projection,
    version: versionsOf(projection).live,
    parked: (await parked(projection)).map((event) => toParkedAnswer(projection, event)),
  }),
  waitUntilProjected: async (projection, position) =>
    (await readModel(projection)?.progress.reached(position, patienceMs.repair)) ?? true,
});

const toParkedAnswer = (
  projection: string,
  { position, stream, eventType, scope, error }: ParkedEvent,
): ParkedEventAnswer => ({
  position: position.toString(),
  stream,
  event: eventType,
  scope,
  error,
  may_be_discarded: isDiscardable(projection, eventType),
});
