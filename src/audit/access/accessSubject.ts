import type { DatasourceId, DatasourceName, DocumentId, Email } from "../../shared/ids.js";
import type { Position } from "../../shared/position.js";

/** The person and the document that a question about access is about, on which incarnation, and as of which moment. */
export interface AccessSubject {
  readonly email: Email;
  readonly datasource: DatasourceName;
  readonly documentId: DocumentId;
  readonly datasourceId: DatasourceId;
  readonly position: Position;
}
