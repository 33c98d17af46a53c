import type { Checkpointed } from "../../../queries/ports.js";
import type { QueryFailure } from "../../../queries/queries.js";
import type { Result } from "../../shared/result.js";
import type { HistoryPage, HistoryPageRequest } from "../asOf/historyPages.js";
import type { KeptLogClock } from "./log.js";
import type { Inventory, PermissionHistory, Removals, Subjects, SubjectSearch } from "./permissionHistory.js";

/** One version of the permission history, opened for questions. */
export interface PermissionHistoryReader extends Checkpointed {
  readonly clock: KeptLogClock & Checkpointed;
  /** Makes a page of an answer, in a thread that starts when it is needed first: a long one holds up nothing else. */
  page(request: HistoryPageRequest): Promise<Result<HistoryPage, QueryFailure>>;
  /** Finds names by their parts, in the same thread. */
  findSubjects(search: SubjectSearch): Promise<ReturnType<Subjects["find"]>>;
  /** Counts what datasources hold, in the same thread. */
  counts(): Promise<ReturnType<Subjects["counts"]>>;
  /** To be read in this thread; opened when it is needed first. */
  history(): PermissionHistory;
  /** Promises what {@link history} does. */
  inventory(): Inventory;
  /** Promises what {@link history} does. */
  removals(): Removals;
}
