import { createValidate, json, type tags } from "typia";
import { toDatasourceName, toDocumentId, toEmail } from "../shared/ids.js";
import { failed } from "../shared/result.js";
import { jsonBody } from "../http/body/jsonBody.js";
import { toRefusal, valueOf } from "../http/envelopes.js";
import { mayUseNamed, requireDatasource } from "../http/authentication.js";
import { route } from "../http/route.js";
import { forbidden, notYetConsistent } from "../http/pathParameters.js";
import { answerMessage, bodyMessage } from "../http/validation/message.js";
import {
  type DatasourceReference,
  type DocumentIdText,
  type EmailText,
  emptyEmailIssues,
} from "../http/messages/names.js";

/** Body of `POST /documents/check-access`. */
interface CheckAccessMessage {
  datasource: DatasourceReference;
  document_id: DocumentIdText;
  user_email: EmailText;
}

export const checkAccessMessage = bodyMessage(
  json.schema<CheckAccessMessage>(),
  createValidate<CheckAccessMessage>(),
  ({ user_email: email }) => emptyEmailIssues(["body", "user_email"], email),
);

/** Answer of `POST /documents/check-access`. */
interface CheckAccessAnswer {
  has_access: boolean;
  datasource: string;
  document_id: string;
  user_email: string;
}

const checkAccessAnswer = answerMessage(json.schema<CheckAccessAnswer>());

/** Body of `POST /documents/check-access/batch`. */
interface CheckAccessesMessage {
  /** Each as the single form asks it. */
  checks: CheckAccessMessage[] & tags.MinItems<1> & tags.MaxItems<1000>;
}

const checkAccessesMessage = bodyMessage(
  json.schema<CheckAccessesMessage>(),
  createValidate<CheckAccessesMessage>(),
  ({ checks }) =>
    checks.flatMap(({ user_email: email }, index) => emptyEmailIssues(["body", "checks", index, "user_email"], email)),
);

/** What the single form would have answered where it refuses. */
interface RefusedCheck {
  status: number & tags.Type<"int32">;
  detail: string;
}

/** One check's answer. */
interface CheckedAccess {
  /** null: nobody can tell; `error` says why. */
  has_access: boolean | null;
  datasource: string;
  document_id: string;
  user_email: string;
  error?: RefusedCheck;
}

/** Answer of `POST /documents/check-access/batch`: one result for each check, in order. */
interface CheckAccessesAnswer {
  results: CheckedAccess[];
}

const checkAccessesAnswer = answerMessage(json.schema<CheckAccessesAnswer>());

const tag = "Documents";
const access = "serviceAccount";
const question = { datasource: "handbook", document_id: "travel-2024.md", user_email: "ada@example.org" };

const checkAccess = route({
  method: "POST",
  path: "/api/indexing/documents/check-access",
  access,
  body: jsonBody(checkAccessMessage),
  isConsistent: true,
  async handle(context, { body: { datasource, document_id, user_email } }) {
    const name = toDatasourceName(datasource);
    await requireDatasource(context, name);
    const asked = {
      datasource: name,
      documentId: toDocumentId(document_id),
      email: toEmail(user_email),
      atLeast: context.state.atLeast,
    };
    const { hasAccess } = valueOf(await context.services.queries.checkAccess(asked));
    context.body = { has_access: hasAccess, datasource, document_id, user_email };
  },
  description: {
    tag,
    summary: "Ask whether a person may see a document",
    description:
      "Resolves groups transitively and looks into the search index: a document that is still being processed is not found.",
    example: question,
    success: {
      description: "The decision.",
      schema: checkAccessAnswer,
      example: { has_access: true, ...question },
    },
    failures: {
      403: forbidden,
      404: "The datasource does not exist, or the index holds no such document.",
      503: notYetConsistent,
    },
  },
});

const checkAccesses = route({
  method: "POST",
  path: "/api/indexing/documents/check-access/batch",
  access,
  body: jsonBody(checkAccessesMessage),
  isConsistent: true,
  async handle(context, { body: { checks } }) {
    const named = checks.map((asked) => ({ asked, datasource: toDatasourceName(asked.datasource) }));
    const mayUse = await mayUseNamed(context);
    const isAllowed = new Set(named.filter(({ datasource }) => mayUse(datasource)));
    const decided = valueOf(
      await context.services.queries.checkAccesses({
        checks: Array.from(isAllowed, ({ asked: { document_id, user_email }, datasource }) => ({
          datasource,
          documentId: toDocumentId(document_id),
          email: toEmail(user_email),
        })),
        atLeast: context.state.atLeast,
      }),
    ).values();
    const results = named.map((check): CheckedAccess => {
      const { datasource } = check;
      const { datasource: asAsked, document_id, user_email } = check.asked;
      const outcome = isAllowed.has(check)
        ? decided.next().value
        : failed({ type: "DatasourceForbidden", datasource } as const);
      if (outcome === undefined) throw new Error("A check has no answer.");
      const asked = { datasource: asAsked, document_id, user_email };
      if (outcome.ok) return { has_access: outcome.value.hasAccess, ...asked };
      const { status, body } = toRefusal(outcome.error);
      return { has_access: null, ...asked, error: { status, detail: (body as { detail: string }).detail } };
    });
    context.body = { results };
  },
  description: {
    tag,
    summary: "Ask who may see which documents",
    description:
      "Our own addition: up to 1,000 checks, answered in order as the single form would answer each of them. What it would refuse with a status is `has_access` null here, with the status and the sentence in `error`; the other checks are answered all the same.",
    example: { checks: [question, { ...question, user_email: "bob@example.org", document_id: "gone.md" }] },
    success: {
      description: "One result for each check, in order.",
      schema: checkAccessesAnswer,
      example: {
        results: [
          { has_access: true, ...question },
          {
            ...question,
            ...{ has_access: null, user_email: "bob@example.org", document_id: "gone.md" },
            error: { status: 404, detail: 'There is no document with the id "gone.md".' },
          },
        ],
      },
    },
    failures: { 503: notYetConsistent },
  },
});

/** The routes that say who may see a document (spec: Documents). */
export const checkAccessRoutes = [checkAccess, checkAccesses];
