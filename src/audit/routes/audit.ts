import { checkAccessQuestion } from "../../validation/auditParameters.js";
import { success, type Answer } from "../../http/answer.js";
import type { ApiRequest } from "../../http/apiRequest.js";
import { checked, valueOf } from "../../http/envelopes.js";
import type { DescribedRoute, ParameterDescription, RouteServices } from "../../http/route.js";
import { schemaOf } from "../../http/routes/descriptions.js";

async function access(request: ApiRequest, { audit }: RouteServices): Promise<Answer> {
  return success(valueOf(await audit.access(checked(checkAccessQuestion(request.query)))));
}

const inQuery = (name: string, description: string, required = false): ParameterDescription => ({
  name,
  in: "query",
  description,
  required,
  schema: { type: "string" },
});

/** As of when a question is asked. */
export const momentInQuery = inQuery(
  "at",
  "An ISO 8601 time, a consistency token or the position of an event; left out: now.",
);
export const userInQuery = inQuery("user", "A login email; not case-sensitive.", true);
export const documentInQuery = inQuery("document", "A document, as `{datasource}/{id}`.", true);

const example = {
  has_access: true,
  at: "2026-01-31T18:00:00.000Z",
  position: "1204",
  explanation: [
    {
      fact: "handbook/travel-2024.md grants ada@example.org",
      event: "DocumentIndexed",
      stream: "document-5d3b:travel-2024.md",
      revision: 0,
      position: "981",
      time: "2026-01-12T09:00:00.000Z",
      by: "1f0c2b7e",
    },
  ],
};

/** Questions about the past (ADR 12). */
export const auditRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/api/audit/access",
    access: "auditor",
    handle: access,
    description: {
      tag: "Audit",
      summary: "Ask whether a person could see a document, and why",
      description:
        "As of a moment, from the log alone. A yes is explained by the events that make it so; a no by what fails first, and by the fewest requests that would have made it a yes. Now, what is granted and not served yet is a no, and `still_served` tells where what is refused is served still.",
      parameters: [userInQuery, documentInQuery, momentInQuery],
      success: {
        description: "The decision. For whoever or whatever was not there it is a no.",
        schema: schemaOf("AccessAnswer"),
        example,
      },
      failures: {
        503: "The time cannot be placed in the log yet, or an event that the answer rests on cannot be read.",
      },
    },
  },
];
