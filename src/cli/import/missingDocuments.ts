import { describeAnswer, type ApiAnswer, type ApiClient, type ApiRequest } from "../apiClient.js";
import { CliFailure } from "../cliFailure.js";

/** How documents of files that are gone are deleted. */
export interface MissingDeletion {
  /** The share of the datasource's documents that is deleted without being confirmed; null: as the service has it. */
  readonly maxDeletedShare: number | null;
  /** Whether these are to be deleted. `confirmed`: whatever share that is. */
  decide(missing: MissingDocuments): Promise<"delete" | "confirmed" | "keep">;
}

/** Documents of the datasource that belong to no file of the folder. */
interface MissingDocuments {
  readonly would_delete: number;
  /** How many documents the datasource has. */
  readonly documents: number;
  /** The first ids of documents that would be deleted. */
  readonly missing: readonly string[];
}

/** What became of them. */
export interface DeletionReport extends MissingDocuments {
  readonly deleted: number;
  /** Why they stay, as a sentence; null: they were deleted, or there were none. */
  readonly kept: string | null;
  /** True where the answer was that they are to stay. */
  readonly as_decided: boolean;
}

const idsPerRequest = 1_000;
const path = "/api/indexing/syncs";

/**
 * A sync run of an import. It begins before the folder is looked at: what somebody else adds to it and indexes later is
 * newer than the run, and stays. It is told of every file before the first is pushed, so that nothing is deleted that
 * is there, whatever becomes of the push.
 */
export class ImportedRun {
  private constructor(
    private readonly client: ApiClient,
    private readonly id: string,
    private readonly signal: AbortSignal,
  ) {}

  static async start(
    client: ApiClient,
    { datasource, maxDeletedShare }: { readonly datasource: string; readonly maxDeletedShare: number | null },
    signal: AbortSignal,
  ): Promise<ImportedRun> {
    const body = { datasource, ...(maxDeletedShare !== null && { max_deleted_share: maxDeletedShare }) };
    const started = accepted(await client.request({ method: "POST", path, body, signal }));
    return new ImportedRun(client, (started as { readonly id: string }).id, signal);
  }

  /** Tells what is there. */
  async see(ids: readonly string[]): Promise<void> {
    for (let first = 0; first < ids.length; first += idsPerRequest)
      accepted(await this.post("seen", { document_ids: ids.slice(first, first + idsPerRequest) }));
  }

  /** Deletes what is missing, where that is decided so, and ends the run either way. */
  async deleteMissing(decide: MissingDeletion["decide"]): Promise<DeletionReport> {
    const found = accepted(await this.request({ method: "GET", path: `${path}/${this.id}` })) as MissingDocuments;
    const { would_delete, documents, missing } = found;
    const report = { would_delete, documents, missing, deleted: 0, kept: null, as_decided: false };
    const decided = would_delete === 0 ? "delete" : await decide(report);
    if (decided === "keep") {
      await this.abort();
      return { ...report, kept: "They stay, as was answered.", as_decided: true };
    }
    const answer = await this.post(decided === "confirmed" ? "commit?confirm=true" : "commit");
    if (answer.status === 409) {
      await this.abort();
      const { detail } = answer.body as { readonly detail: string };
      return {
        ...report,
        kept: `${detail} On the command line, --max-deleted-share says how large a share may go.`,
      };
    }
    return { ...report, deleted: (accepted(answer) as { readonly deleted: number }).deleted };
  }

  /** Ends the run: it deletes nothing. One that cannot be ended expires, and deletes nothing either. */
  async abort(): Promise<void> {
    if (!this.signal.aborted) await this.post("abort").catch(() => undefined);
  }

  private post(what: string, body: object = {}): Promise<ApiAnswer> {
    return this.request({ method: "POST", path: `${path}/${this.id}/${what}`, body });
  }

  private request(request: ApiRequest): Promise<ApiAnswer> {
    return this.client.request({ ...request, signal: this.signal });
  }
}

function accepted(answer: ApiAnswer): unknown {
  if (answer.status === 200) return answer.body;
  throw new CliFailure(describeAnswer(answer));
}
