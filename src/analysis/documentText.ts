/** What the terms of a document are made of. */
export interface DocumentText {
  readonly title: string;
  /** The body first, then the values of searchable properties. */
  readonly texts: readonly string[];
  /** The folders that it is in: they say where it is, and not how much it says. Left out: none. */
  readonly folders?: string | undefined;
}
