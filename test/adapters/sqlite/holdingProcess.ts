import { openSqliteLease } from "../../../src/adapters/sqlite/sqliteLease.js";
import { quickLease as timing } from "../../support/leasedProjector.js";

/**
 * The other side of `holdElsewhere`: says under which token it holds the lease, then whenever asked whether it still
 * may write.
 */
const [, , file = ""] = process.argv;
const grant = await openSqliteLease({ file, name: "search", timing }).acquire(new AbortController().signal);

process.on("message", () => process.send?.(grant !== null && grant.heldUntil() > performance.now()));
process.on("disconnect", () => process.exit());
process.send?.(String(grant?.token));
