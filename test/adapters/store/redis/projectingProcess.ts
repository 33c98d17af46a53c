import { groupClosure } from "../../../../projections/groupClosure/project.js";
import type { RecordedEvent } from "../../../../src/events/domainEvent.js";
import { deliver } from "../../../support/givenProjection.js";
import { quickLease } from "../../../support/leasedProjector.js";
import { holdProjecting } from "../../../support/redisReadModels.js";

/**
 * The other side of `projectElsewhere`: answers each batch once it is committed or refused, ends when its parent lets
 * go of it.
 */
const [, , url = "", namespace = "", lease] = process.argv;
const settings = lease === "quick" ? { leaseTiming: quickLease } : {};
const held = await holdProjecting({ url, namespace }, settings);
await held.writers.groupClosure.checkpoint();

process.on("message", async (events: readonly RecordedEvent[]) => {
  const outcome = await deliver({ projection: groupClosure, writer: held.writers.groupClosure }, events).then(
    () => "committed",
    (error: unknown) => String(error),
  );
  process.send?.(outcome);
});
process.on("disconnect", () => held.projecting.close());
process.send?.("holds the lease");
