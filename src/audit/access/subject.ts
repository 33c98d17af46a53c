import type { DatasourceId, DatasourceName, DocumentId, Email } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";

/** Who and what a question about access is about, on which incarnation, and as of when. */
export interface Subject {
  readonly email: Email;
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly datasourceId: DatasourceId;
  readonly position: Position;
}
