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
  /** The text was longer than what is kept of one. */
  readonly truncated?: true;
}
