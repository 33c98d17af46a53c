import { json } from "typia";
import type { DocumentAccess } from "../../events/document.js";
import type { IndexedDocumentState } from "../../audit/auditQueries.js";
import type { ParkedAnswer } from "../../operations/parked/parkedEvents.js";
import { inUtc } from "../../shared/instant.js";
import { answerMessage } from "../validation/message.js";

/** An event, as the state of a document names it. */
export interface ReceivedAnswer {
  /** Its position in the log. */
  position: string;
  time: string;
  by: string;
}

/** What was read of a document's file or text. */
export interface ReadAnswer {
  /** Of a file the type that its content shows. */
  mime_type: string;
  /** What the client called it, where the content shows something else. */
  declared_mime_type?: string;
  /** Bytes of the body as it was sent. */
  size: number;
  /** Bytes of the text; 0 where there was nothing to read, as in a scan without OCR. */
  text_bytes: number;
  is_file: boolean;
  page_count?: number;
  ocr_used?: true;
  /** The text was longer than what is kept of one. */
  truncated?: true;
}

/** An event of the document that could not be projected. */
export interface ParkedReasonAnswer {
  /** The read model that could not. */
  projection: string;
  position: string;
  reason: string;
}

/** Answer of `GET /api/admin/documents/{datasource}/{document_id}`. */
export interface DocumentStateAnswer {
  datasource: string;
  document_id: string;
  title: string;
  /**
   * `queued`: it is in the log, and search has not come so far; `searchable`; `parked`: a read model could not apply an
   * event of it, and nobody sees it until an operator has it applied again.
   */
  state: "queued" | "searchable" | "parked";
  /** Why it is parked; empty where it is not. */
  parked: ParkedReasonAnswer[];
  /** The event by which it was last indexed. */
  received: ReceivedAnswer;
  /** The event since which it is there without a break. */
  first_received: ReceivedAnswer | null;
  read: ReadAnswer;
  file_type: string;
  path: string | null;
  path_preview: string | null;
  author: string | null;
  last_modified: string | null;
  data_source_sub: string | null;
  data_source_sub_sub: string | null;
  custom_properties: { name: string; value: string | number | boolean }[];
  permissions: {
    allow_anonymous_access: boolean;
    allowed_users: string[];
    allowed_groups: string[];
    /** None were sent, so that the datasource's `default_access` decided. */
    is_default: boolean;
  };
  /** The document's stream of events. */
  stream: string;
}

export const documentStateAnswer = answerMessage(json.schema<DocumentStateAnswer>());

/** What is known of a document, in the words in which it was pushed. */
export function toDocumentStateAnswer(
  { document, received, firstReceived, state }: IndexedDocumentState,
  parked: readonly ParkedAnswer[],
): DocumentStateAnswer {
  const faults = parked.flatMap(({ projection, parked: events }) =>
    events
      .filter(({ stream }) => stream === received.stream)
      .map(({ position, error: reason }) => ({ projection, position, reason })),
  );
  const { datasource, documentId, title, access, customProperties } = document;
  const { fileType, path, pathPreview, author, lastModified, sub, childSub } = document;
  return {
    ...{ datasource, document_id: documentId, title },
    state: faults.length === 0 ? state : "parked",
    parked: faults,
    received: toReceived(received),
    first_received: firstReceived === null ? null : toReceived(firstReceived),
    read: toRead(document),
    ...{ file_type: fileType, path, path_preview: pathPreview, author },
    last_modified: lastModified === null ? null : inUtc(lastModified),
    ...{ data_source_sub: sub, data_source_sub_sub: childSub, custom_properties: [...customProperties] },
    permissions: toPermissions(access),
    stream: received.stream,
  };
}

const toReceived = ({ position, time, by }: IndexedDocumentState["received"]): ReceivedAnswer => ({
  position: String(position),
  time,
  by,
});

function toRead({ mimeType, size, content, file }: IndexedDocumentState["document"]): ReadAnswer {
  return {
    ...{ mime_type: mimeType, size, text_bytes: content.bytes, is_file: file !== undefined },
    ...(file?.declaredMimeType !== undefined && { declared_mime_type: file.declaredMimeType }),
    ...(file?.pageCount !== undefined && { page_count: file.pageCount }),
    ...(file?.ocrUsed === true && { ocr_used: true }),
    ...(file?.truncated === true && { truncated: true }),
  };
}

const toPermissions = ({
  anonymous,
  users,
  groups,
  isDefault,
}: DocumentAccess): DocumentStateAnswer["permissions"] => ({
  allow_anonymous_access: anonymous,
  allowed_users: [...users],
  allowed_groups: [...groups],
  is_default: isDefault === true,
});
