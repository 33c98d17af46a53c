import { startServiceProcess } from "./processes.js";

/** A running service, as those see it who push into it and search. */
export interface RelevanceService {
  /** Makes a datasource on which the searching person is registered, and pushes documents that they may see. */
  push(datasource: { name: string; displayName: string }, documents: readonly PushedDocument[]): Promise<void>;
  /** Answers with full ids, best first, of all that was pushed before. */
  search(question: SearchedQuestion): Promise<readonly string[]>;
  /** What a path answers, of all that was pushed before. */
  readonly get: (path: string) => Promise<unknown>;
  stop(): Promise<void>;
}

/** Fields of a document as the API names them (spec: Document), the datasource aside. */
export type PushedDocument = Readonly<Record<string, unknown>>;

export interface SearchedQuestion {
  readonly query: string;
  /** Without it, all datasources. */
  readonly datasource?: string;
  /** At most 100. */
  readonly count: number;
  /** From 0. */
  readonly page?: number;
}

/** A service that runs already, with its credentials. */
export interface RunningService {
  readonly url: string;
  readonly serviceAccount: string;
  readonly apiKey: string;
  readonly person: string;
}

const documentsPerRequest = 100;
const startedPerson = "relevance@example.org";

/** Uses a service that runs already: an empty one. */
export function useService(service: RunningService): RelevanceService {
  return clientOf(service, () => Promise.resolve());
}

/** Starts a service of its own. */
export async function startService(): Promise<RelevanceService> {
  const started = await startServiceProcess();
  const apiKey = await started.createKey(startedPerson);
  return clientOf({ ...started, apiKey, person: startedPerson }, () => started.stop());
}

function clientOf(service: RunningService, stop: () => Promise<void>): RelevanceService {
  let token = "";
  const write = async (path: string, body: unknown): Promise<void> => {
    token = await post(service, path, body);
  };
  return {
    push: async ({ name, displayName }, documents) => {
      await write("/api/indexing/datasources", { name, display_name: displayName });
      await write("/api/indexing/users", { datasource: name, user: { email: service.person } });
      for (let start = 0; start < documents.length; start += documentsPerRequest) {
        const some = documents.slice(start, start + documentsPerRequest);
        await write("/api/indexing/documents", {
          documents: some.map((document) => ({ datasource: name, ...document })),
        });
      }
    },
    search: (question) => search((path) => get(service, path, token), question),
    get: (path) => get(service, path, token),
    stop,
  };
}

/** Answers with the consistency token of the write. */
async function post({ url, serviceAccount }: RunningService, path: string, body: unknown): Promise<string> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${serviceAccount}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const failed = answer.ok && path.endsWith("/documents") ? / ([1-9]\d*) failed/.exec(text) : null;
  if (!answer.ok || failed !== null) throw new Error(`POST ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return answer.headers.get("x-consistency-token") ?? "";
}

async function search(
  ask: RelevanceService["get"],
  { query, datasource, count, page = 0 }: SearchedQuestion,
): Promise<readonly string[]> {
  const parameters = new URLSearchParams({ query, count: String(count), start_page: String(page) });
  if (datasource !== undefined) parameters.set("data_source", datasource);
  const { results } = (await ask(`/api/beta/search?${parameters.toString()}`)) as {
    readonly results: readonly { readonly id: string }[];
  };
  return results.map(({ id }) => id);
}

/** The service answers 503 while it is still behind the token: then asks again, as a client would. */
async function get({ url, apiKey }: RunningService, path: string, token: string): Promise<unknown> {
  for (;;) {
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${apiKey}`, "x-consistency-token": token },
    });
    if (answer.ok) return answer.json();
    const text = await answer.text();
    if (answer.status !== 503) throw new Error(`GET ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  }
}
