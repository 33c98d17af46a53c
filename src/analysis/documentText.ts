/** What the terms of a document are made of. */
export interface DocumentText {
  readonly title: string;
  /** The body first, then the values of searchable properties. */
  readonly texts: readonly string[];
}
