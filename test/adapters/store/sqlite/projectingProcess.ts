import { groupClosure } from "../../../../projections/groupClosure/project.js";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import { deliver } from "../../../support/givenProjection.js";
import { openReadModelWriters } from "../../../support/readModelWriters.js";

/**
 * The other side of `projectElsewhere`: answers each batch once it is committed, ends when its parent lets go of it.
 */
const writers = openReadModelWriters(process.argv[2] ?? "");

process.on("message", async (events: readonly RecordedEvent[]) => {
  await deliver({ projection: groupClosure, writer: writers.groupClosure }, events);
  process.send?.("committed");
});
process.on("disconnect", () => writers.close());
