import type { ContentReference, DocumentAccess } from "../../src/events/document.js";
import type { FileFacts } from "../../src/events/fileFacts.js";
import type { CarriedText } from "../../src/shared/carriedText.js";
import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";

/** The document's text, or why there is none. */
export type ReadBody =
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
  /** As declared, in lower case and without parameters. */
  readonly mimeType: string;
  /** The media type's `charset` parameter. */
  readonly charset: string | null;
  readonly name: string;
  /** True for a text whose marks are to be taken out: nobody calls it a file. */
  readonly isText?: true;
}

export type DocumentBody = ReadBody | FileBody;

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
export type ReadDocument = IndexDocument<ReadBody>;

/** What became of a document (spec: Document index result). */
export type DocumentOutcome = "sent" | "already_indexed" | "skipped" | "failed";

export interface IndexedDocument {
  readonly documentId: DocumentId;
  readonly outcome: DocumentOutcome;
  readonly message: string;
}
