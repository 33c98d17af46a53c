import { describeAnswer, type ApiClient } from "../src/cli/apiClient.js";
import { datasource } from "./company.js";

export interface Hit {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

export interface Answer {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly milliseconds: number;
}

/** Searches as the client's person; with a consistency token the answer has seen that write. */
export async function search(api: ApiClient, query: string, consistencyToken?: string): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await api.request({
    method: "GET",
    path: `/api/beta/search?count=3&query=${encodeURIComponent(query)}`,
    consistencyToken,
  });
  const milliseconds = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`The search failed. ${describeAnswer(answer)}`);
  const { results, total } = answer.body as { readonly results: readonly Hit[]; readonly total: number };
  return { hits: results, total, milliseconds };
}

/** Asks whether a person may see a document, as the service account may ask. */
export async function checkAccess(
  api: ApiClient,
  documentId: string,
  email: string,
  consistencyToken?: string,
): Promise<{ readonly hasAccess: boolean; readonly milliseconds: number }> {
  const startedAt = performance.now();
  const body = { datasource, document_id: documentId, user_email: email };
  const answer = await api.request({
    method: "POST",
    path: "/api/indexing/documents/check-access",
    body,
    consistencyToken,
  });
  const milliseconds = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`The access check failed. ${describeAnswer(answer)}`);
  return { hasAccess: (answer.body as { readonly has_access: boolean }).has_access, milliseconds };
}
