import { json } from "typia";
import type { CustomProperty } from "../../events/document.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../route.js";
import { inQuery } from "../validation/inQuery.js";
import { missing, tooShort, type Issue } from "../validation/issue.js";
import { answerMessage, type Checked } from "../validation/message.js";
import { flagIn } from "../validation/parameters.js";
import type { QueryString } from "../validation/queryString.js";
import type { HitSummaryAnswer } from "./hitSummaryAnswer.js";

interface MetadataParameters {
  readonly documentId: string;
  readonly includeTextContent: boolean;
}

function checkMetadataParameters(parameters: QueryString): Checked<MetadataParameters> {
  const issues: Issue[] = [];
  const documentId = parameters.get("document_id")?.at(-1);
  if (documentId === undefined) issues.push(missing(["query", "document_id"]));
  else if (documentId === "") issues.push(tooShort(["query", "document_id"], 1));
  const includeTextContent = flagIn(parameters, "include_text_content", issues);
  return issues.length > 0 ? failed(issues) : ok({ documentId: documentId ?? "", includeTextContent });
}

/** The parameters of `GET /api/beta/document/metadata`. */
export const documentMetadataQuestion: QueryParameters<MetadataParameters> = {
  parameters: [
    inQuery("document_id", "The `id` of a search result, percent-encoded.", { type: "string", minLength: 1 }, true),
    inQuery("include_text_content", "true adds `text_content`.", { type: "boolean", default: false }),
  ],
  check: checkMetadataParameters,
};

/** Answer of `GET /api/beta/document/metadata`. */
export interface DocumentMetadataAnswer extends HitSummaryAnswer {
  mime_type: string;
  /** Bytes of the body as it was sent. */
  size: number;
  custom_properties: CustomProperty[];
  indexed_at: string;
  /** Only where `include_text_content` is true. */
  text_content?: string;
}

export const documentMetadataAnswer = answerMessage(json.schema<DocumentMetadataAnswer>());
