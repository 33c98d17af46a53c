import { projectionKinds } from "../events/projection.js";
import { textIssue, textRules, type TextRule } from "./validation/parameters.js";
import { invalidRequest, toRefusal } from "./envelopes.js";
import type { PathParameter } from "./route.js";
import type { ParameterDescription } from "./validation/parameters.js";

const inPath = (name: string, description: string, schema: object): ParameterDescription => ({
  name,
  in: "path",
  description,
  required: true,
  schema: { type: "string", ...schema },
});

const text = (name: string, description: string, rule: TextRule): PathParameter => ({
  description: inPath(name, description, rule),
  refusalOf: (given) => {
    const issue = textIssue(["path", name], given, rule);
    return issue === null ? null : invalidRequest([issue]);
  },
});

/** A parameter that its route looks at itself. */
export const unchecked = (name: string, description: string, schema: object): PathParameter => ({
  description: inPath(name, description, schema),
  refusalOf: () => null,
});

export const datasourceInPath = text("datasource", "Name of a datasource.", textRules.slug);
export const datasourceNameInPath = text("name", "Name of a datasource.", textRules.slug);
export const subKeyInPath = text(
  "sub_key",
  "Key of a sub. A top-level sub wins over a child with the same key.",
  textRules.slug,
);

export const documentIdInPath = text("document_id", "Id of a document; case-sensitive.", textRules.documentId);
/** An empty one is 400 (spec: Per-endpoint statuses). */
export const emailInPath: PathParameter = {
  ...text("email", "Login email, percent-encoded; not case-sensitive.", textRules.email),
  mayBeEmpty: true,
};

export const syncRunInPath = text("sync_id", "Id of a sync run.", { maxLength: 64 });
export const fileInPath = text("id", "Id of a file, as its upload answered with.", { maxLength: 64 });
export const agentInPath = text("id", "Id of an agent.", { maxLength: 64 });
export const groupInPath = text(
  "group_name",
  "Name of a group, percent-encoded (`%2F` too); case-sensitive.",
  textRules.groupName,
);

export const projectionInPath = unchecked("name", "Name of a projection.", { enum: Object.keys(projectionKinds) });
/** The same where no command looks at it. */
export const knownProjectionInPath: PathParameter = {
  ...projectionInPath,
  refusalOf: (name) =>
    Object.hasOwn(projectionKinds, name) ? null : toRefusal({ type: "ProjectionNotFound", projection: name }),
};

/** What every route with a consistency token says. */
export const consistencyHeader: ParameterDescription = {
  name: "X-Consistency-Token",
  in: "header",
  description:
    "Of an earlier write: the answer reflects at least that write. Of several, with commas between: at least all of them, which a client with writes under way side by side sends, since tokens cannot be compared. Without it, what is projected by now.",
  schema: { type: "string" },
};

export const notFoundDatasource = "The datasource does not exist.";
export const forbidden = "The service account is limited to other datasources.";
export const notYetConsistent =
  "The write behind the token is not served yet, or access cannot be decided; see Retry-After.";
