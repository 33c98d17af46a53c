import { match } from "ts-pattern";
import type { Checkpointed } from "../../../queries/ports.js";
import type { QueryFailure, QueryResult } from "../../../queries/queries.js";
import type { StreamName } from "../../events/streams.js";
import type { DatasourceName } from "../../shared/ids.js";
import { beginning, toPosition, type Position } from "../../shared/position.js";
import { failed, ok, type Result } from "../../shared/result.js";
import type {
  AskGroupMembers,
  AskIndexedDocument,
  AskInventory,
  GroupMembers,
  IndexedDocumentState,
  InventoryItem,
  InventoryPage,
} from "../inventoryQuestions.js";
import type { Inventory, ListedPart, LiveIncarnation, PermissionHistory } from "../ports/permissionHistory.js";
import type { LogReader } from "../ports/log.js";

export interface InventoryServices {
  readonly log: Pick<LogReader, "head" | "readStream">;
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
  const { datasourceId, number: incarnation } = found.value;
  const subject = subjectOf(inventory, incarnation, question);
  if (!subject.ok) return subject;
  const upTo = of.kind === "documents" ? await services.searchable() : beginning;
  // One more than asked for tells whether there is another page.
  const part = { prefix: "prefix" in of ? (of.prefix ?? "") : "", after, count: count + 1 };
  const listed = itemsOf(inventory, { kind: of.kind, number: subject.value, part, upTo });
  const items = listed.slice(0, count);
  return ok({ datasourceId, items, next: listed.length > count ? (items.at(-1)?.key ?? null) : null });
}

/** The number of what is listed: of a group, of a person, or of the incarnation. */
function subjectOf(
  inventory: Inventory,
  incarnation: number,
  { datasource, of }: AskInventory,
): Result<number, QueryFailure> {
  if (of.kind === "groupsOf") {
    const person = inventory.person(incarnation, of.email);
    return person === null ? failed({ type: "UserNotFound", datasource, email: of.email }) : ok(person);
  }
  if (of.kind !== "members" && of.kind !== "parents") return ok(incarnation);
  const group = inventory.group(incarnation, of.group);
  return group === null ? failed({ type: "GroupNotFound", datasource, group: of.group }) : ok(group);
}

/**
 * Tells of a document as of the end of the log: by which event it came, and whether search has come so far. Waits and
 * fails like {@link listInventory}.
 */
export async function findIndexedDocument(
  question: AskIndexedDocument,
  services: InventoryServices,
): QueryResult<IndexedDocumentState> {
  const reached = await waitForEnd(question, services);
  if (!reached.ok) return reached;
  const { datasource, documentId } = question;
  const found = incarnationOf(datasource, services);
  if (!found.ok) return found;
  const document = services.inventory().document(found.value.number, documentId);
  const history = services.history();
  const received = document && history.source(document.indexedAt);
  if (document === null || received === null)
    return failed({ type: "DocumentNotFound", id: `${datasource}__${documentId}` });
  const [recorded] = await services.log.readStream(received.stream as StreamName, received.revision, 1);
  if (recorded?.event.type !== "DocumentIndexed")
    return failed({ type: "DocumentNotFound", id: `${datasource}__${documentId}` });
  const state = stateOf(document.indexedAt, await services.searchable());
  const firstReceived = history.source(document.opened);
  return ok({ document: recorded.event.data, received, firstReceived, state });
}

const stateOf = (indexedAt: number, upTo: Position): "searchable" | "queued" =>
  toPosition(indexedAt) <= upTo ? "searchable" : "queued";

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

interface Listing {
  readonly kind: AskInventory["of"]["kind"];
  /** The number of the group, of the person, or of the incarnation. */
  readonly number: number;
  readonly part: ListedPart;
  /** Documents that were indexed up to here are searchable. */
  readonly upTo: Position;
}

const itemsOf = (
  inventory: Inventory,
  { kind, number, part, upTo }: Listing,
): readonly (InventoryItem & { readonly key: string })[] =>
  match(kind)
    .returnType<readonly (InventoryItem & { readonly key: string })[]>()
    .with("users", () =>
      inventory.users(number, part).map(({ key, name }) => ({ key, kind: "user", email: key, name })),
    )
    .with("groups", () => inventory.groups(number, part).map(({ key }) => ({ key, kind: "group", name: key })))
    .with("members", "parents", "groupsOf", (kindOfEdges) =>
      inventory[kindOfEdges](number, part.after, part.count).map(({ key, kind: of, name }) => ({
        ...{ key, kind: "member", of, name },
      })),
    )
    .with("documents", () =>
      inventory.documents(number, part).map(({ key, title, lastModified, indexedAt }) => ({
        ...{ key, kind: "document", id: key, title, lastModified },
        ...{ indexedAt: toPosition(indexedAt), state: stateOf(indexedAt, upTo) },
      })),
    )
    .exhaustive();
