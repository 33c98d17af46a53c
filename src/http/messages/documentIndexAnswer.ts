import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** What became of one document. */
export interface DocumentResult {
  document_id: string;
  outcome: "sent" | "already_indexed" | "skipped" | "failed";
  message: string;
}

/** Answer of `POST /documents` (spec: Document index result). */
export interface DocumentIndexAnswer {
  status: "ok";
  /** Only for a single document. */
  datasource?: string;
  /** null for a single document. */
  documents_received: number | null;
  message: string;
  results: DocumentResult[];
}

export const documentIndexAnswer = answerMessage(json.schema<DocumentIndexAnswer>());
