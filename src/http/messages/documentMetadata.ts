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

/** What a file says of itself. null: nobody could tell. */
export interface FileFactsAnswer {
  /** What the client called the file, where its content shows another type. */
  declared_mime_type: string | null;
  title: string | null;
  author: string | null;
  /** ISO 639-1, such as `de`. */
  language: string | null;
  /** Pages, slides or sheets. */
  page_count: number | null;
  created_at: string | null;
  modified_at: string | null;
  /** Some of the text was recognized in images. */
  ocr_used: boolean;
  /** The text was longer than what is kept of one. */
  truncated: boolean;
}

/** Answer of `GET /api/beta/document/metadata`. */
export interface DocumentMetadataAnswer extends HitSummaryAnswer {
  /** Of a file the type that its content shows. */
  mime_type: string;
  /** Bytes of the body as it was sent. */
  size: number;
  /** null: the document was sent as text. */
  file: FileFactsAnswer | null;
  custom_properties: CustomProperty[];
  indexed_at: string;
  /** Only where `include_text_content` is true. */
  text_content?: string;
}

export const documentMetadataAnswer = answerMessage(json.schema<DocumentMetadataAnswer>());
