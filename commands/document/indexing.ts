import type { ContentReference, DocumentAccess } from "../../src/events/document.js";
import type { CarriedText } from "../../src/shared/carriedText.js";
import type { DatasourceName, DocumentId } from "../../src/shared/ids.js";

/** The document's text, or why there is none. */
export type DocumentBody =
  | {
      readonly kind: "text";
      readonly text: CarriedText;
      readonly mimeType: string;
      readonly size: number;
      /** What the text is known by. Left out: nobody has computed it yet, which takes long of a large text. */
      readonly content?: ContentReference;
    }
  | { readonly kind: "unextractable"; readonly reason: string; readonly mimeType: string };

/** A document as the client sends it. */
export interface IndexDocument {
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly title: string;
  readonly body: DocumentBody;
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

/** What became of a document (spec: Document index result). */
export type DocumentOutcome = "sent" | "already_indexed" | "skipped" | "failed";

export interface IndexedDocument {
  readonly documentId: DocumentId;
  readonly outcome: DocumentOutcome;
  readonly message: string;
}
