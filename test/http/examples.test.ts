import { expect } from "chai";
import { apiRoutes } from "../../src/wiring/features.js";
import type { DescribedRoute, Method } from "../../src/http/route.js";
import type { ApiClient, RequestOptions } from "../support/apiClient.js";
import { signIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { startLoopback, type LoopbackServer } from "../support/web/loopbackServer.js";

/** In an order in which a client could go through the description, with what stands for the parameters. */
const journey: readonly (readonly [Method, string, string])[] = [
  ["POST", "/api/indexing/datasources", "/api/indexing/datasources"],
  ["GET", "/api/indexing/datasources", "/api/indexing/datasources"],
  ["GET", "/api/indexing/datasources/{name}", "/api/indexing/datasources/handbook"],
  ["POST", "/api/indexing/datasources/{name}/subs", "/api/indexing/datasources/handbook/subs"],
  ["GET", "/api/indexing/file-types", "/api/indexing/file-types"],
  ["POST", "/api/indexing/users", "/api/indexing/users"],
  ["POST", "/api/indexing/groups", "/api/indexing/groups"],
  ["POST", "/api/indexing/memberships", "/api/indexing/memberships"],
  ["POST", "/api/indexing/documents/dry-run", "/api/indexing/documents/dry-run"],
  ["POST", "/api/indexing/documents", "/api/indexing/documents"],
  ["GET", "/api/indexing/users/{datasource}", "/api/indexing/users/handbook"],
  ["GET", "/api/indexing/groups/{datasource}", "/api/indexing/groups/handbook"],
  ["GET", "/api/indexing/groups/{datasource}/{group_name}/members", "/api/indexing/groups/handbook/staff/members"],
  ["GET", "/api/indexing/documents/{datasource}", "/api/indexing/documents/handbook"],
  ["POST", "/api/indexing/documents/check-access", "/api/indexing/documents/check-access"],
  ["POST", "/api/indexing/documents/check-access/batch", "/api/indexing/documents/check-access/batch"],
  ["POST", "/api/indexing/syncs", "/api/indexing/syncs"],
  ["GET", "/api/indexing/syncs/{sync_id}", "/api/indexing/syncs/{created}"],
  ["POST", "/api/indexing/syncs/{sync_id}/seen", "/api/indexing/syncs/{created}/seen"],
  ["POST", "/api/indexing/syncs/{sync_id}/commit", "/api/indexing/syncs/{created}/commit?confirm=false"],
  ["POST", "/api/indexing/syncs", "/api/indexing/syncs"],
  ["POST", "/api/indexing/syncs/{sync_id}/abort", "/api/indexing/syncs/{created}/abort"],
  ["GET", "/api/beta/search", "/api/beta/search?query=recepits&explain=true"],
  ["GET", "/api/beta/suggest", "/api/beta/suggest?query=trav"],
  ["GET", "/api/beta/document/metadata", "/api/beta/document/metadata?document_id=handbook__travel-2024.md"],
  ["GET", "/api/beta/amberai/models", "/api/beta/amberai/models"],
  ["GET", "/api/beta/amberai/models/{model}", "/api/beta/amberai/models/amber-extractive"],
  ["POST", "/api/beta/amberai/chat/completions", "/api/beta/amberai/chat/completions"],
  ["POST", "/mcp", "/mcp"],
  ["POST", "/api/beta/external_search/documents", "/api/beta/external_search/documents"],
  ["POST", "/api/beta/external_search/web", "/api/beta/external_search/web"],
  ["POST", "/api/beta/files/upload", "/api/beta/files/upload?type=document"],
  ["GET", "/api/beta/files", "/api/beta/files"],
  ["GET", "/api/beta/files/{id}", "/api/beta/files/{created}"],
  ["GET", "/api/beta/files/{id}/content", "/api/beta/files/{created}/content"],
  ["GET", "/api/beta/files/{id}/text", "/api/beta/files/{created}/text"],
  ["DELETE", "/api/beta/files/{id}", "/api/beta/files/{created}"],
  ["GET", "/api/audit/export", "/api/audit/export"],
  ["GET", "/api/audit/public-key", "/api/audit/public-key"],
  ["GET", "/api/audit/access", "/api/audit/access?user=ada%40example.org&document=handbook%2Ftravel-2024.md"],
  ["GET", "/api/audit/who", "/api/audit/who?document=handbook%2Ftravel-2024.md"],
  ["GET", "/api/audit/what", "/api/audit/what?user=ada%40example.org"],
  ["GET", "/api/audit/history", "/api/audit/history?user=ada%40example.org"],
  ["GET", "/api/audit/subjects", "/api/audit/subjects?query=travel"],
  ["GET", "/api/audit/links", "/api/audit/links?user=ada%40example.org&document=handbook%2Ftravel-2024.md"],
  ["GET", "/api/audit/changes", "/api/audit/changes?document=handbook%2Ftravel-2024.md"],
  ["POST", "/api/admin/projections/{name}/rebuild", "/api/admin/projections/catalogue/rebuild"],
  ["POST", "/api/admin/projections/{name}/accept", "/api/admin/projections/catalogue/accept"],
  ["GET", "/api/admin/projections", "/api/admin/projections"],
  ["GET", "/api/admin/projections/live", "/api/admin/projections/live?updates=1"],
  ["POST", "/api/admin/projections/{name}/rollback", "/api/admin/projections/catalogue/rollback"],
  ["POST", "/api/admin/projections/{name}/drop", "/api/admin/projections/catalogue/drop"],
  ["POST", "/api/admin/projections/{name}/pause", "/api/admin/projections/search/pause"],
  ["POST", "/api/admin/projections/{name}/resume", "/api/admin/projections/search/resume"],
  ["POST", "/api/admin/projections/{name}/verify", "/api/admin/projections/groupClosure/verify"],
  ["GET", "/api/admin/projections/{name}/parked", "/api/admin/projections/search/parked"],
  ["POST", "/api/admin/projections/{name}/parked/retry", "/api/admin/projections/search/parked/retry"],
  ["POST", "/api/admin/projections/{name}/parked/discard", "/api/admin/projections/search/parked/discard"],
  ["POST", "/api/admin/undo", "/api/admin/undo"],
  ["GET", "/api/admin/events", "/api/admin/events?category=datasource"],
  ["POST", "/api/admin/agents", "/api/admin/agents"],
  ["GET", "/api/admin/agents", "/api/admin/agents"],
  ["GET", "/api/admin/agents/{id}", "/api/admin/agents/{created}"],
  ["PUT", "/api/admin/agents/{id}", "/api/admin/agents/{created}"],
  ["DELETE", "/api/admin/agents/{id}", "/api/admin/agents/{created}"],
  ["GET", "/api/session/options", "/api/session/options"],
  ["POST", "/api/session", "/api/session"],
  ["GET", "/api/session", "/api/session"],
  ["DELETE", "/api/session", "/api/session"],
  ["DELETE", "/api/session/everywhere", "/api/session/everywhere"],
  ["POST", "/api/session/password", "/api/session/password"],
  ["POST", "/api/admin/accounts", "/api/admin/accounts"],
  ["GET", "/api/admin/accounts", "/api/admin/accounts"],
  ["PUT", "/api/admin/accounts/{email}/roles", "/api/admin/accounts/grace%40example.org/roles"],
  ["POST", "/api/admin/accounts/{email}/link", "/api/admin/accounts/grace%40example.org/link"],
  ["POST", "/api/session/link", "/api/session/link"],
  ["POST", "/api/admin/accounts/{email}/disable", "/api/admin/accounts/grace%40example.org/disable"],
  ["POST", "/api/admin/accounts/{email}/enable", "/api/admin/accounts/grace%40example.org/enable"],
  ["POST", "/api/admin/service-accounts", "/api/admin/service-accounts"],
  ["GET", "/api/admin/service-accounts", "/api/admin/service-accounts"],
  ["POST", "/api/admin/service-accounts/{id}/rotate", "/api/admin/service-accounts/{created}/rotate"],
  ["DELETE", "/api/admin/service-accounts/{id}", "/api/admin/service-accounts/{created}"],
  ["POST", "/api/admin/api-keys", "/api/admin/api-keys"],
  ["GET", "/api/admin/api-keys", "/api/admin/api-keys?all=true"],
  ["GET", "/api/audit/credentials", "/api/audit/credentials?id={created}"],
  ["DELETE", "/api/admin/api-keys/{id}", "/api/admin/api-keys/{created}"],
  ["POST", "/api/audit/what-if", "/api/audit/what-if"],
  ["PUT", "/api/indexing/users/{datasource}/{email}", "/api/indexing/users/handbook/ada%40example.org"],
  [
    "DELETE",
    "/api/indexing/memberships/{datasource}/{group_name}/{member_type}/{member_id}",
    "/api/indexing/memberships/handbook/staff/user/ada%40example.org",
  ],
  [
    "GET",
    "/api/audit/exposure",
    "/api/audit/exposure?document=handbook%2Ftravel-2024.md&grant=user%3Aada%40example.org",
  ],
  ["PUT", "/api/indexing/groups/{datasource}/{group_name}/members", "/api/indexing/groups/handbook/staff/members"],
  ["PUT", "/api/indexing/groups/{datasource}/{group_name}", "/api/indexing/groups/handbook/staff"],
  ["DELETE", "/api/indexing/groups/{datasource}/{group_name}", "/api/indexing/groups/handbook/employees"],
  ["DELETE", "/api/indexing/users/{datasource}/{email}", "/api/indexing/users/handbook/ada%40example.org"],
  ["DELETE", "/api/indexing/documents/{datasource}/{document_id}", "/api/indexing/documents/handbook/travel-2024.md"],
  ["PUT", "/api/indexing/datasources/{name}", "/api/indexing/datasources/handbook"],
  [
    "DELETE",
    "/api/indexing/datasources/{name}/subs/{sub_key}",
    "/api/indexing/datasources/handbook/subs/human_resources",
  ],
  ["DELETE", "/api/indexing/datasources/{name}", "/api/indexing/datasources/handbook"],
  ["POST", "/api/admin/datasources", "/api/admin/datasources"],
  ["GET", "/api/admin/datasources", "/api/admin/datasources"],
  ["GET", "/api/admin/datasources/{name}", "/api/admin/datasources/handbook"],
  ["POST", "/api/admin/datasources/{name}/subs", "/api/admin/datasources/handbook/subs"],
  ["GET", "/api/admin/file-types", "/api/admin/file-types"],
  ["POST", "/api/admin/users", "/api/admin/users"],
  ["POST", "/api/admin/groups", "/api/admin/groups"],
  ["POST", "/api/admin/memberships", "/api/admin/memberships"],
  ["POST", "/api/indexing/documents", "/api/indexing/documents"],
  ["GET", "/api/admin/users/{datasource}", "/api/admin/users/handbook"],
  ["GET", "/api/admin/users/{datasource}/{email}/groups", "/api/admin/users/handbook/ada%40example.org/groups"],
  ["GET", "/api/admin/groups/{datasource}", "/api/admin/groups/handbook"],
  ["GET", "/api/admin/groups/{datasource}/{group_name}/members", "/api/admin/groups/handbook/staff/members"],
  ["GET", "/api/admin/groups/{datasource}/{group_name}/parents", "/api/admin/groups/handbook/staff/parents"],
  ["GET", "/api/admin/documents/{datasource}", "/api/admin/documents/handbook"],
  ["GET", "/api/admin/documents/{datasource}/{document_id}", "/api/admin/documents/handbook/travel-2024.md"],
  ["GET", "/api/admin/datasource-counts", "/api/admin/datasource-counts"],
  ["PUT", "/api/admin/users/{datasource}/{email}", "/api/admin/users/handbook/ada%40example.org"],
  [
    "DELETE",
    "/api/admin/memberships/{datasource}/{group_name}/{member_type}/{member_id}",
    "/api/admin/memberships/handbook/staff/user/ada%40example.org",
  ],
  ["PUT", "/api/admin/groups/{datasource}/{group_name}/members", "/api/admin/groups/handbook/staff/members"],
  ["PUT", "/api/admin/groups/{datasource}/{group_name}", "/api/admin/groups/handbook/staff"],
  ["DELETE", "/api/admin/groups/{datasource}/{group_name}", "/api/admin/groups/handbook/employees"],
  ["DELETE", "/api/admin/users/{datasource}/{email}", "/api/admin/users/handbook/ada%40example.org"],
  ["DELETE", "/api/admin/documents/{datasource}/{document_id}", "/api/admin/documents/handbook/travel-2024.md"],
  ["PUT", "/api/admin/datasources/{name}", "/api/admin/datasources/handbook"],
  ["DELETE", "/api/admin/datasources/{name}/subs/{sub_key}", "/api/admin/datasources/handbook/subs/human_resources"],
  ["DELETE", "/api/admin/datasources/{name}", "/api/admin/datasources/handbook"],
  ["GET", "/api/admin/events/page", "/api/admin/events/page?category=datasource&type=DatasourceDeleted"],
  ["GET", "/api/audit/questions", "/api/audit/questions?user=ada@example.org"],
  ["GET", "/api/audit/web-queries", "/api/audit/web-queries"],
  ["POST", "/api/beta/web_search", "/api/beta/web_search"],
  ["GET", "/health/live", "/health/live"],
  ["GET", "/health/ready", "/health/ready"],
];

/** Which version of the catalogue has to be served before there is something to go back from, and something to drop. */
const servedVersionBefore: Readonly<Record<string, number>> = {
  "/api/admin/projections/{name}/rollback": 2,
  "/api/admin/projections/{name}/drop": 1,
};

async function untilServed(operator: ApiClient, version: number): Promise<void> {
  for (;;) {
    const { body } = await operator.get<{ projections: { name: string; version: number; under_way: object | null }[] }>(
      "/api/admin/projections",
    );
    if (
      body.projections.some(
        (status) => status.name === "catalogue" && status.version === version && status.under_way === null,
      )
    )
      return;
  }
}
/** On the journey no group is in another: the list is empty. */
const empty: ReadonlySet<string> = new Set(["/api/admin/groups/{datasource}/{group_name}/parents"]);
/** On the journey nothing is parked, and nobody tells the secret of a link. */
const refused: Readonly<Record<string, number>> = {
  "/api/admin/projections/{name}/parked/discard": 404,
  "/api/session/link": 403,
};
const passwordOfAda = "five words that only Ada knows";

/** The example as the route takes it. */
function sentAs({ body, description }: DescribedRoute): [body: unknown, options?: RequestOptions] {
  const { example, headers: described = [] } = description;
  const headers = Object.fromEntries(
    described.map(({ name, schema }) => [name, (schema as { readonly example: string }).example]),
  );
  if (described.length > 0) return [example, { headers }];
  if (body?.mediaType === undefined) return [example];
  const part = 'Content-Disposition: form-data; name="file"; filename="travel-2024.txt"\r\nContent-Type: text/plain';
  const text = `--edge\r\n${part}\r\n\r\n${(example as { readonly file: string }).file}\r\n--edge--\r\n`;
  return [undefined, { raw: { contentType: `${body.mediaType}; boundary=edge`, text } }];
}

/** What an answer is made of: names and kinds of values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, shapeOf(inner)])
        .sort(),
    );
  return value === null ? null : typeof value;
}

describe("the examples of the API description", () => {
  let service: ServiceUnderTest;
  let person: ApiClient;
  let administrator: ApiClient;
  /** It finds itself, which nobody may read. */
  let engine: LoopbackServer;

  before(async () => {
    engine = await startLoopback(() => ({ body: { results: [{ url: engine.url, title: "A", content: "About A." }] } }));
    service = await startServiceUnderTest({ SEARXNG_URL: engine.url });
    person = await service.person("ada@example.org", "auditor", "operator");
    administrator = await service.signedIn("root@example.org", "administrator", "developer", "auditor");
    const account = { email: "ada@example.org", roles: ["auditor"], password: passwordOfAda };
    await service.operator.post("/api/admin/accounts", account);
  });
  after(async () => {
    await service.stop();
    await engine.close();
  });

  /** Whoever signs out has to sign in again for what follows. */
  async function clientFor({ access, path }: DescribedRoute): Promise<ApiClient> {
    if (access === "serviceAccount" || access === "open") return service.indexing;
    if (path.startsWith("/api/session"))
      return service.operator.signedIn(await signIn(service.operator, "ada@example.org", passwordOfAda));
    const isForKeys = typeof access === "string" && ["apiKey", "apiKeyAlone", "auditor", "operator"].includes(access);
    return isForKeys ? person : administrator;
  }

  it("are of every route", () => {
    expect([...new Set(journey.map(([method, path]) => `${method} ${path}`))].sort()).to.deep.equal(
      apiRoutes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it("work one after the other, and are answered as they say", async () => {
    let created = "";
    for (const [method, path, template] of journey) {
      const address = template.replace("{created}", created);
      const route = apiRoutes.find(
        (candidate) => candidate.method === method && candidate.path === path,
      ) as DescribedRoute;
      const client = await clientFor(route);
      const awaited = servedVersionBefore[path];
      if (awaited !== undefined) await untilServed(person, awaited);
      const { status, body, headers } = await client.request(method, address, ...sentAs(route));
      const { example, carriesToken } = route.description.success;
      created = (body as { id?: string }).id ?? created;
      expect(status, `${method} ${address}: ${JSON.stringify(body)}`).to.equal(refused[path] ?? 200);
      if (refused[path] !== undefined || empty.has(path)) continue;
      expect(headers.has("x-consistency-token"), `${method} ${address}`).to.equal(carriesToken === true);
      if (example !== undefined) expect(shapeOf(body), `${method} ${address}`).to.deep.equal(shapeOf(example));
    }
  });
});
