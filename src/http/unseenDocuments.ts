import type { FoundSyncRun } from "../../commands/commands.js";
import type { InventoryPage } from "../audit/auditQueries.js";
import { toDocumentId, type DocumentId } from "../shared/ids.js";
import { valueOf } from "./envelopes.js";
import type { RouteServices } from "./routeServices.js";

/** What a datasource holds, as a sync run looks at it. */
export interface HeldDocuments {
  readonly documents: number;
  /** Indexed before the run began, and not seen in it so far. */
  readonly unseen: readonly DocumentId[];
}

const documentsPerPage = 1_000;

/**
 * Lists a run's datasource as of the end of the log. Refused where the list cannot be whole; cut short where the signal
 * aborts.
 */
export async function unseenDocuments(
  { audit }: Pick<RouteServices, "audit">,
  { datasource, startedAt, seen }: FoundSyncRun,
  signal: AbortSignal,
): Promise<HeldDocuments> {
  const of = { kind: "documents" } as const;
  const unseen: DocumentId[] = [];
  let documents = 0;
  for (let after: string | null = ""; after !== null && !signal.aborted;) {
    const asked = { datasource, of, after, count: documentsPerPage, atLeast: null };
    const page: InventoryPage = valueOf(await audit.inventory(asked));
    after = page.next;
    for (const item of page.items) {
      if (item.kind !== "document") continue;
      documents++;
      const documentId = toDocumentId(item.id);
      if (item.indexedAt < startedAt && !seen.has(documentId)) unseen.push(documentId);
    }
  }
  return { documents, unseen };
}
