/** What search and metadata say of a document; never its access list. */
export interface HitSummaryAnswer {
  /** What the metadata endpoint takes as `document_id`. */
  id: string;
  title: string;
  datasource: string;
  data_source_sub: string | null;
  data_source_sub_sub: string | null;
  file_type: string;
  path: string | null;
  path_preview: string | null;
  author: string | null;
  last_modified: string | null;
}
