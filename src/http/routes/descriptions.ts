import { projectionKinds } from "../../events/projection.js";
import { textRules } from "../../validation/parameters.js";
import type { ParameterDescription } from "../route.js";

/** A reference to a schema of a message type. */
export const schemaOf = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const pathParameter = (name: string, description: string, schema: object): ParameterDescription => ({
  name,
  in: "path",
  description,
  required: true,
  schema: { type: "string", ...schema },
});

export const datasourceInPath = pathParameter("datasource", "Name of a datasource.", textRules.slug);
export const datasourceNameInPath = pathParameter("name", "Name of a datasource.", textRules.slug);
export const subKeyInPath = pathParameter(
  "sub_key",
  "Key of a sub. A top-level sub wins over a child with the same key.",
  textRules.slug,
);
export const documentIdInPath = pathParameter("document_id", "Id of a document; case-sensitive.", textRules.documentId);
export const emailInPath = pathParameter("email", "Login email, percent-encoded; not case-sensitive.", textRules.email);
export const groupInPath = pathParameter(
  "group_name",
  "Name of a group, percent-encoded (`%2F` too); case-sensitive.",
  textRules.groupName,
);
export const projectionInPath = pathParameter("name", "Name of a projection.", { enum: Object.keys(projectionKinds) });

/** A read that sends back a write's token sees at least that write. */
export const consistencyHeader: ParameterDescription = {
  name: "X-Consistency-Token",
  in: "header",
  description: "Of an earlier write: the answer reflects at least that write. Without it, what is projected by now.",
  schema: { type: "string" },
};

export const notFoundDatasource = "The datasource does not exist.";
export const forbidden = "The service account is limited to other datasources.";
export const notYetConsistent =
  "The write behind the token is not served yet, or access cannot be decided; see Retry-After.";
