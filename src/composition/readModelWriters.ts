import type { CatalogueChange } from "../../projections/catalogue/changes.js";
import type { ContentErasureChange } from "../../projections/contentErasure/changes.js";
import type { CredentialChange } from "../../projections/credentials/changes.js";
import type { GroupClosureChange } from "../../projections/groupClosure/changes.js";
import type { ProjectionWriter } from "../../projections/ports.js";

/** Where the projections of access, catalogue and credentials, and the erasure of texts, write. */
export interface ReadModelWriters {
  readonly groupClosure: ProjectionWriter<GroupClosureChange>;
  readonly catalogue: ProjectionWriter<CatalogueChange>;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ProjectionWriter<ContentErasureChange>;
}
