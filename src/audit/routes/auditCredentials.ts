import { json } from "typia";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import { present, queryOf } from "../../http/validation/parameters.js";
import { tooMany } from "../../http/validation/issue.js";
import { answerMessage } from "../../http/validation/message.js";
import { ok } from "../../shared/result.js";

/** A credential with the name of its holder, revoked or not. */
interface NamedCredential {
  id: string;
  kind: "service_account" | "api_key";
  /** A service account's name, or the email of a key's person. */
  name: string;
}

/** Answer of `GET /api/audit/credentials`. */
interface NamedCredentialsAnswer {
  items: NamedCredential[];
}

const mostAtOnce = 200;

/** The parameters of `GET /api/audit/credentials`. */
const namedCredentialsQuestion = queryOf(
  {
    id: present<readonly string[]>({
      description: "The id of a credential; repeated for several.",
      schema: { type: "array", items: { type: "string" } },
      read(given) {
        if (given.values.length > mostAtOnce) given.refuse((loc) => tooMany(loc, mostAtOnce));
        return given.values;
      },
    }),
  },
  ({ id }) => ok({ ids: new Set(id) }),
);

const namedCredentialsAnswer = answerMessage(json.schema<NamedCredentialsAnswer>());

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
