import { describeAnswer, type ApiClient, type ApiRequest } from "../src/cli/apiClient.js";
import { ProgressLine } from "../src/cli/terminal.js";
import { datasource, groups, people } from "./company.js";
import type { CompanyDocument } from "./companyFiles.js";
import { registration } from "./corpus.js";
import { say } from "./presentation.js";

const documentsPerRequest = 25;

/** Sends a write that has to succeed. Answers with its consistency token. */
export async function write(
  api: ApiClient,
  method: ApiRequest["method"],
  path: string,
  body?: unknown,
): Promise<string> {
  const answer = await api.request({ method, path: `/api/indexing/${path}`, body });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${describeAnswer(answer)}`);
  return answer.consistencyToken ?? "";
}

/** Registers the datasource, the people, the groups and who is in what: in the order that the spec asks for. */
export async function registerCompany(api: ApiClient): Promise<void> {
  await write(api, "POST", "datasources", registration);
  for (const { name, email } of people) await write(api, "POST", "users", { datasource, user: { email, name } });
  for (const { name } of groups) await write(api, "POST", "groups", { datasource, group: { name } });
  for (const { name, within } of groups) {
    if (within !== null)
      await write(api, "POST", "memberships", {
        datasource,
        membership: { group_name: within, member_group_name: name },
      });
  }
  for (const { email, memberOf } of people) {
    await write(api, "POST", "memberships", { datasource, membership: { group_name: memberOf, member_email: email } });
  }
}

/** Pushes every document, with a progress bar. Answers with the consistency token of the last write. */
export async function pushCorpus(api: ApiClient, documents: readonly CompanyDocument[]): Promise<string> {
  const { stderr } = process;
  const showsProgress = stderr.isTTY === true;
  if (!showsProgress) say(`  Pushing ${documents.length} documents …`);
  const progress = new ProgressLine({ showsProgress, stderr, note: say }, "documents");
  progress.start(documents.length);
  let token = "";
  for (let from = 0; from < documents.length; from += documentsPerRequest) {
    const batch = documents.slice(from, from + documentsPerRequest);
    token = await write(api, "POST", "documents", { documents: batch });
    progress.advance(batch.length);
  }
  progress.stop();
  return token;
}
