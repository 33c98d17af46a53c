import { match } from "ts-pattern";
import type { Checkpointed } from "../../../queries/ports.js";
import type { QueryFailure, QueryResult } from "../../../queries/queries.js";
import type { DatasourceName } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { failed, ok, type Result } from "../../shared/result.js";
import type {
  AskGroupMembers,
  AskInventory,
  GroupMembers,
  InventoryItem,
  InventoryPage,
} from "../inventoryQuestions.js";
import type { Inventory, LiveIncarnation } from "../ports/inventory.js";
import type { LogReader } from "../ports/log.js";
import type { PermissionHistory } from "../ports/permissionHistory.js";

export interface InventoryServices {
  readonly log: Pick<LogReader, "head">;
  readonly progress: Checkpointed;
  readonly patienceMs: number;
  history(): PermissionHistory;
  inventory(): Inventory;
  /** Up to where documents are searchable. */
  searchable(): Promise<Position>;
}

/**
 * Lists what a datasource holds as of the end of the log. Waits until the permission history has come there, and fails
 * where it does not, or where an event of the datasource is parked: a list that leaves something out would let a
 * connector delete what is there.
 */
export async function listInventory(question: AskInventory, services: InventoryServices): QueryResult<InventoryPage> {
  const reached = await waitForEnd(question, services);
  if (!reached.ok) return reached;
  const { datasource, of, after, count } = question;
  const inventory = services.inventory();
  const found = incarnationOf(datasource, services);
  if (!found.ok) return found;
  const incarnation = found.value;
  const number = of.kind === "members" ? inventory.group(incarnation.number, of.group) : incarnation.number;
  if (number === null)
    return failed({ type: "GroupNotFound", datasource, group: of.kind === "members" ? of.group : "" });
  const upTo = of.kind === "documents" ? await services.searchable() : beginning;
  // One more than asked for tells whether there is another page.
  const listed = itemsOf(inventory, { kind: of.kind, number, after, count: count + 1, upTo });
  const items = listed.slice(0, count);
  const { datasourceId } = incarnation;
  return ok({ datasourceId, items, next: listed.length > count ? (items.at(-1)?.key ?? null) : null });
}

/** Lists the people in a group whole, as of the end of the log; waits and fails like {@link listInventory}. */
export async function listGroupMembers(
  { datasource, group, people }: AskGroupMembers,
  services: Omit<InventoryServices, "searchable">,
): QueryResult<GroupMembers> {
  const reached = await waitForEnd({ atLeast: null }, services);
  if (!reached.ok) return reached;
  const found = incarnationOf(datasource, services);
  if (!found.ok) return found;
  const { number, datasourceId } = found.value;
  const listed = services.inventory().groupMembers(number, group, people);
  if (listed === null) return failed({ type: "GroupNotFound", datasource, group });
  const { members, ...rest } = listed;
  return ok({ datasourceId, asOf: reached.value, members: new Set(members), ...rest });
}

/** The incarnation that bears the name, if all of it is known. */
function incarnationOf(
  datasource: DatasourceName,
  { history, inventory }: Pick<InventoryServices, "history" | "inventory">,
): Result<LiveIncarnation, QueryFailure> {
  const incarnation = inventory().incarnation(datasource);
  if (history().suspendedFrom(incarnation?.datasourceId) !== null) return failed({ type: "HistoryParked", datasource });
  return incarnation === null ? failed({ type: "DatasourceNotFound", datasource }) : ok(incarnation);
}

/** Answers with the end of the log that was waited for. */
async function waitForEnd(
  { atLeast }: Pick<AskInventory, "atLeast">,
  { log, progress, patienceMs }: Omit<InventoryServices, "searchable">,
): Promise<Result<Position, QueryFailure>> {
  const head = await log.head();
  if (atLeast !== null && atLeast > head) return failed({ type: "TokenBeyondLog" });
  const started = performance.now();
  if (await progress.reached(head, patienceMs)) return ok(head);
  return failed({ type: "HistoryBehind", waitedMs: Math.round(performance.now() - started) });
}

interface Listing extends Pick<AskInventory, "after" | "count"> {
  readonly kind: AskInventory["of"]["kind"];
  /** Of the group, or of the incarnation. */
  readonly number: number;
  /** What was indexed up to here is searchable. */
  readonly upTo: Position;
}

const itemsOf = (
  inventory: Inventory,
  { kind, number, after, count, upTo }: Listing,
): readonly (InventoryItem & { readonly key: string })[] =>
  match(kind)
    .returnType<readonly (InventoryItem & { readonly key: string })[]>()
    .with("users", () =>
      inventory.users(number, after, count).map(({ key, name }) => ({ key, kind: "user", email: key, name })),
    )
    .with("groups", () => inventory.groups(number, after, count).map(({ key }) => ({ key, kind: "group", name: key })))
    .with("members", () =>
      inventory.members(number, after, count).map(({ key, kind: of, name }) => ({ key, kind: "member", of, name })),
    )
    .with("documents", () =>
      inventory.documents(number, after, count).map(({ key, lastModified, indexedAt }) => ({
        ...{ key, kind: "document", id: key, lastModified },
        ...{ indexedAt: toPosition(indexedAt), state: toPosition(indexedAt) <= upTo ? "searchable" : "queued" },
      })),
    )
    .exhaustive();
