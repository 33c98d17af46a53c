import type { AuditQueries } from "../../queries/audit/auditQueries.js";
import { createAuditQueries } from "../../queries/audit/createAuditQueries.js";
import { openLogClock } from "./logClock.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** Questions about the past: answered from the log, and those about now also from what is served. */
export const openAuditSide = ({ streams, source }: WriteSide, { served }: ReadSide): AuditQueries =>
  createAuditQueries({ log: streams, clock: openLogClock(source), served, now: () => new Date() });
