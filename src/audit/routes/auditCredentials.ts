import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import {
  namedCredentialsAnswer,
  namedCredentialsQuestion,
  type NamedCredential,
} from "../messages/auditCredentials.js";

const toNamed = ({ id, kind, name, email }: CredentialRecord): NamedCredential =>
  kind === "serviceAccount"
    ? { id, kind: "service_account", name: name ?? id }
    : { id, kind: "api_key", name: email ?? id };

const nameCredentials = route({
  method: "GET",
  path: "/api/audit/credentials",
  access: "auditor",
  query: namedCredentialsQuestion,
  async handle(context, { query: { ids } }) {
    const { queries } = context.services;
    const kinds = ["serviceAccount", "apiKey"] as const;
    const lists = await Promise.all(kinds.map((kind) => queries.listCredentials({ kind, atLeast: null })));
    const named = lists.flatMap((list) => valueOf(list)).filter(({ id }) => ids.has(id));
    context.body = { items: named.map(toNamed) };
  },
  description: {
    tag: "Audit",
    summary: "Tell whose credentials these are",
    description:
      "Facts name in `by` who asked for them: an email where somebody was signed in, `operator` for the command line, else the id of a credential. This tells whose that is or, if it is revoked, was.",
    success: {
      description: "Those that there are.",
      schema: namedCredentialsAnswer,
      example: { items: [{ id: "pDrRIAPnr1V9", kind: "service_account", name: "wiki-sync" }] },
    },
  },
});

/** Names of those who have changed something. */
export const auditCredentialRoutes = [nameCredentials];
