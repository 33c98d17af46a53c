import { expect } from "chai";
import { apiRoutes, features } from "../../src/wiring/features.js";
import { describeApi } from "../../src/http/openapi/describeApi.js";
import type { DescribedRoute } from "../../src/http/route.js";
import type { ApiClient } from "../support/apiClient.js";
import { signIn, startServiceUnderTest, type ServiceUnderTest } from "../support/startService.js";
import { wrongBodies, type Schema, type WrongBody } from "./wrongBodies.js";

const description = JSON.parse(JSON.stringify(describeApi(features, "amber"))) as {
  readonly paths: Record<
    string,
    Record<string, { readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** What takes a form, and what has a protocol of its own for what is wrong with a body. */
const ofTheirOwn: ReadonlySet<string> = new Set(["/api/beta/files/upload", "/mcp"]);
const routes = apiRoutes.filter(({ path, body }) => body !== undefined && !ofTheirOwn.has(path));
/** What addresses name, where it matters; a body is read before anybody looks for it. */
const named: Readonly<Record<string, string>> = { email: "ada@example.org" };
const pathOf = ({ path }: DescribedRoute): string =>
  path
    .replace("/projections/{name}", "/projections/catalogue")
    .replaceAll(/\{([^}]*)\}/g, (_all, name: string) => named[name] ?? "wiki");

/** What is let pass where it has no effect (docs/chat.md). */
const withoutEffect: ReadonlySet<string> = new Set(["metadata.web_search_mode choice"]);
const passwordOfAda = "five words that only Ada knows";

function schemaOf({ path, method }: DescribedRoute): Schema {
  const content = description.paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"];
  const schema = content?.schema ?? {};
  // One document is refused; of an array, each that is wrong fails alone (spec: Documents, rules 2 to 4).
  return schema.oneOf?.[0] ?? schema;
}

/** The example, whose single document stands for those of an array. */
function exampleOf({ description: { example } }: DescribedRoute): unknown {
  const { documents } = example as { readonly documents?: unknown };
  return Array.isArray(documents) && typeof documents[0] === "object"
    ? { documents: documents[0] as unknown }
    : example;
}

describe("the schemas of request bodies", () => {
  let service: ServiceUnderTest;
  let person: ApiClient;
  let administrator: ApiClient;
  let account: ApiClient;

  before(async () => {
    service = await startServiceUnderTest();
    person = await service.person("ada@example.org", "auditor", "operator");
    administrator = await service.signedIn("root@example.org", "administrator", "developer", "auditor");
    const ada = { email: "ada@example.org", roles: ["auditor"], password: passwordOfAda };
    await service.operator.post("/api/admin/accounts", ada);
    account = service.operator.signedIn(await signIn(service.operator, "ada@example.org", passwordOfAda));
  });
  after(() => service?.stop());

  function clientFor({ access, path }: DescribedRoute): ApiClient {
    if (access === "serviceAccount" || access === "open") return service.indexing;
    if (path.startsWith("/api/session")) return account;
    const isForKeys = typeof access === "string" && ["apiKey", "apiKeyAlone", "auditor", "operator"].includes(access);
    return isForKeys ? person : administrator;
  }

  /** None where the body was refused for what is wrong with it, at its place. */
  async function faultsOf(route: DescribedRoute, { what, at, body }: WrongBody): Promise<readonly string[]> {
    const answer = await clientFor(route).request<{
      detail?: readonly { readonly loc: readonly unknown[] }[] | string;
    }>(route.method, pathOf(route), body);
    const { detail } = answer.body;
    const told = Array.isArray(detail)
      ? detail.map(({ loc }: { loc: readonly unknown[] }) => loc.slice(1).join("."))
      : [];
    const isMissingEmail = answer.status === 400 && at.at(-1) === "email";
    const isTooLarge = answer.status === 413 && what === "maxItems";
    if (isMissingEmail || isTooLarge || (answer.status === 422 && told.includes(at.join(".")))) return [];
    return [`${at.join(".")} ${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`];
  }

  for (const route of routes)
    it(`refuse what they say is wrong: ${route.method} ${route.path}`, async () => {
      const bodies = [...wrongBodies(schemaOf(route), exampleOf(route), description.components.schemas)].filter(
        ({ what, at }) => !withoutEffect.has(`${at.join(".")} ${what}`),
      );
      expect(bodies).not.to.deep.equal([]);
      const faults: string[] = [];
      for (const body of bodies) faults.push(...(await faultsOf(route, body)));
      if (faults.length > 0) expect.fail(faults.join("\n"));
    });
});
