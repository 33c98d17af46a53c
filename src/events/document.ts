import type { DatasourceId, DatasourceName, DocumentId, Email } from "../shared/ids.js";

/**
 * The people and groups that may see a document, as the client named them: names, not tokens (spec: Permissions block).
 */
export interface DocumentAccess {
  /** `allow_anonymous_access`, or no `permissions` block at all. */
  readonly anonymous: boolean;
  /** Distinct, sorted. */
  readonly users: readonly Email[];
  /** Group names; distinct, sorted. They need not exist yet. */
  readonly groups: readonly string[];
  /**
   * Present where no `permissions` were sent and the datasource's `defaultAccess` decided. Events of before there was
   * one do not say.
   */
  readonly isDefault?: true;
}

/** Points at a document's text, which lives outside the event so that it can be erased. */
export interface ContentReference {
  /** Hex SHA-256 of the text's UTF-8 bytes. */
  readonly sha256: string;
  /** Length of the text in UTF-8 bytes. */
  readonly bytes: number;
}

export interface CustomProperty {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** The whole state of the document, access included, so the newest event of the stream is the document's state. */
export interface DocumentIndexed {
  readonly type: "DocumentIndexed";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly datasource: DatasourceName;
    readonly documentId: DocumentId;
    readonly title: string;
    readonly content: ContentReference;
    /** For a file, the type that was detected. */
    readonly mimeType: string;
    /** Bytes of the body as the client sent it (decoded). */
    readonly size: number;
    /** Present where the text was taken out of a file. */
    readonly file?: FileFacts;
    readonly fileType: string;
    readonly pathPreview: string | null;
    readonly path: string | null;
    /** What the client left out is as the file says. */
    readonly author: string | null;
    /** The text that the client sent; compare instants, not strings. A file may say another time: see `file`. */
    readonly lastModified: string | null;
    readonly sub: string | null;
    /** The child's key; its parent is always in `sub` (inferred where the client left it out: spec, Documents, 6). */
    readonly childSub: string | null;
    readonly access: DocumentAccess;
    readonly customProperties: readonly CustomProperty[];
    /** The text that this version replaces, to be erased; null for a first version or where it is the same text. */
    readonly supersededContent: ContentReference | null;
    /** True where this event made a restricted document visible to every registered user. */
    readonly widenedToAnonymous: boolean;
  };
}

export interface DocumentDeleted {
  readonly type: "DocumentDeleted";
  readonly data: {
    readonly datasourceId: DatasourceId;
    readonly datasource: DatasourceName;
    readonly documentId: DocumentId;
    readonly supersededContent: ContentReference;
  };
}

/** Stream `document-{datasourceId}:{documentId}`. */
export type DocumentEvent = DocumentIndexed | DocumentDeleted;

export const documentEventTypes: Readonly<Record<DocumentEvent["type"], true>> = {
  DocumentIndexed: true,
  DocumentDeleted: true,
};

/** What was found in a file besides its text. What nobody could tell is left out. */
export interface FileFacts {
  /** The media type that the content shows, in lower case and without parameters. */
  readonly mimeType: string;
  /** What the client called it, where the content shows something else. */
  readonly declaredMimeType?: string;
  readonly title?: string;
  readonly author?: string;
  /** ISO 639-1, such as `de`: as the file says, or as its text reads. */
  readonly language?: string;
  /** Pages, slides or sheets. */
  readonly pageCount?: number;
  /** ISO 8601. */
  readonly createdAt?: string;
  /** ISO 8601. */
  readonly modifiedAt?: string;
  /** Some of the text was recognized in images. */
  readonly ocrUsed?: true;
  /** Pages whose text was to be recognized and was not: there was no time, or they cannot be painted. */
  readonly unrecognizedPages?: number;
  /** The text was longer than what is kept of one. */
  readonly truncated?: true;
  /** The files inside this one, in the order of the text: attachments, entries of an archive. At most 100. */
  readonly parts?: readonly FilePart[];
}

/** A file inside another one, whose text is a part of the outer one's. */
export interface FilePart {
  readonly name: string;
  /** Where its name and then its text begin in the text, in UTF-16 units. */
  readonly at: number;
  readonly mimeType?: string;
  /** Why it was not read, as a sentence. */
  readonly unread?: string;
}
