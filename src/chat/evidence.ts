/** A text that an answer may rest on: a passage of a document, what a web search brought, or what a file says. */
export interface Evidence {
  readonly kind: "document" | "web" | "file";
  /** `{datasource}__{document}` of a document, the id of a file; null for a web page. */
  readonly id: string | null;
  /** null: nobody says where it lies. */
  readonly url: string | null;
  readonly title: string;
  readonly text: string;
  /** ISO instant or date; null: unknown. */
  readonly date: string | null;
}
