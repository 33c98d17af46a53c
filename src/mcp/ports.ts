/** A page of the web that was found. */
export interface WebResult {
  readonly url: string;
  readonly metadata: { readonly title: string; readonly description: string };
  readonly content: string;
}

/** Searches of the web, as tools ask for them. */
export interface WebSearch {
  search(request: {
    /** They leave as they are. */
    readonly queries: readonly string[];
    readonly count: number;
    readonly sites: readonly string[] | null;
    readonly timeoutMs: number;
    readonly deepSearch: boolean;
    /** null: the tenant's default. */
    readonly mode: null;
    readonly signal?: AbortSignal;
  }): Promise<readonly WebResult[]>;
}
