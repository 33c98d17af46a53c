import { groupClosure } from "../../../../projections/groupClosure/project.js";
import { openSqliteReadModelWriters } from "../../../../src/composition/openSqliteReadModelWriters.js";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import { deliver } from "../../../support/givenProjection.js";
import { RecordingEraser, tokens } from "../../../support/temporaryReadModels.js";

/** The other side of `projectElsewhere`: answers each batch once it is committed, ends when its parent lets go of it. */
const writers = openSqliteReadModelWriters({ file: process.argv[2] ?? "", tokens, eraser: new RecordingEraser() });

process.on("message", async (events: readonly RecordedEvent[]) => {
  await deliver({ projection: groupClosure, writer: writers.groupClosure }, events);
  process.send?.("committed");
});
process.on("disconnect", () => writers.close());
