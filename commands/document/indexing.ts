import { extension } from "mime-types";
import type {
  ContentReference,
  DocumentAccess,
  FileFacts,
  DocumentEvent,
  DocumentIndexed,
} from "../../src/events/document.js";
import type { CarriedText } from "../../src/shared/carriedText.js";
import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";
import { documentIdsOf } from "../../src/events/streams.js";
import type { UnclaimedText } from "../ports.js";

/** The document's text, or why there is none. */
export type DocumentText =
  | {
      readonly kind: "text";
      readonly text: CarriedText;
      readonly mimeType: string;
      readonly size: number;
      /** What the text is known by. Left out: nobody has computed it yet, which takes long of a large text. */
      readonly content?: ContentReference;
      /** Present where the text was taken out of a file. */
      readonly file?: FileFacts;
    }
  | { readonly kind: "unextractable"; readonly reason: string; readonly mimeType: string };

/** A file that nobody has read yet. */
export interface FileBody {
  readonly kind: "file";
  readonly bytes: Uint8Array;
  /** The media type as declared, in lower case and without parameters. */
  readonly mimeType: string;
  /** The media type's `charset` parameter. */
  readonly charset: string | null;
  readonly name: string;
  /** True for a text whose marks are to be taken out: nobody calls it a file. */
  readonly isText?: true;
}

export type DocumentBody = DocumentText | FileBody;

/** A document as the client sends it. */
export interface IndexDocument<Body extends DocumentBody = DocumentBody> {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly title: string;
  readonly body: Body;
  readonly fileType: string;
  readonly pathPreview: string | null;
  readonly path: string | null;
  readonly author: string | null;
  readonly lastModified: string | null;
  readonly sub: string | null;
  readonly childSub: string | null;
  /** null: no `permissions` block, which means anonymous (spec: Visibility rules, 2). */
  readonly access: DocumentAccess | null;
  readonly customProperties: readonly { readonly name: string; readonly value: unknown }[];
}

/** A document whose text is known, or why there is none: only such a one can be decided. */
export type DocumentWithText = IndexDocument<DocumentText>;

/** What became of a document (spec: Document index result). */
export type DocumentOutcome = "sent" | "already_indexed" | "skipped" | "failed";

export interface IndexedDocument {
  readonly documentId: DocumentId;
  readonly outcome: DocumentOutcome;
  readonly message: string;
}

const maxSuffixLength = 10;

/**
 * Why the pipeline does not take a body, as a sentence; null where it does (spec: States and transitions, `skipped`).
 */
export function skipReason(body: DocumentText): string | null {
  // What type the client declared was looked at before the file was read.
  if (body.kind === "text" && body.file !== undefined) return null;
  const suffix = fileSuffix(body.mimeType);
  if (suffix.length > maxSuffixLength) {
    return `The file suffix "${suffix}", computed from the MIME type, is longer than ${maxSuffixLength} characters.`;
  }
  return body.kind === "unextractable" ? body.reason : null;
}

/** How files of formats are called whose media type has no registered extension. */
const usualSuffixes: Readonly<Record<string, string>> = {
  "application/vnd.ms-tnef": "tnef",
  "application/vnd.ms-visio.drawing": "vsdx",
  "application/vnd.ms-visio.drawing.macroenabled.12": "vsdm",
  "application/vnd.ms-visio.stencil": "vssx",
  "application/vnd.ms-visio.template": "vstx",
  "application/x-unix-archive": "ar",
};

/**
 * The extension registered for the media type, without the dot, or what files of it are called; where there is none,
 * the subtype itself.
 */
function fileSuffix(mimeType: string): string {
  const [type = ""] = mimeType.toLowerCase().split(";", 1);
  const named = type.trim();
  const usual = Object.hasOwn(usualSuffixes, named) ? usualSuffixes[named] : undefined;
  return usual ?? (extension(named) || named.slice(named.indexOf("/") + 1));
}

/** The document stays as it is; the event is what supersedes the text. */
export function withdrawn(
  { stream, datasource, reference }: UnclaimedText,
  state: DocumentIndexed["data"] | null,
): DocumentEvent[] {
  if (state === null) {
    // Every text of a document says to which datasource it belongs.
    if (datasource === undefined) return [];
    return [{ type: "DocumentDeleted", data: { ...documentIdsOf(stream), datasource, supersededContent: reference } }];
  }
  if (state.content.sha256 === reference.sha256) return [];
  return [{ type: "DocumentIndexed", data: { ...state, supersededContent: reference, widenedToAnonymous: false } }];
}
