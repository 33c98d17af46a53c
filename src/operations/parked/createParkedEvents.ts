import { isDiscardable } from "../../events/discardable.js";
import type { ParkedEvent } from "../../readModels/projectionStatus.js";
import type { Patience, VerifiedReadModels } from "../verify/provable.js";
import type { ParkedEventAnswer, ParkedEvents } from "./parkedEvents.js";

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
