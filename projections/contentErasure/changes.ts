import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { ContentKey } from "../ports.js";

/** What one event asks to be erased. */
export type ContentErasureChange =
  /** Replaced, deleted or erased by the event at `position`. */
  | { readonly kind: "contentSuperseded"; readonly key: ContentKey; readonly position: Position }
  /** Written by the event at `position`: to be erased only where its datasource is gone by then. */
  | {
      readonly kind: "textWritten";
      readonly datasourceId: DatasourceId;
      readonly key: ContentKey;
      readonly position: Position;
    }
  | { readonly kind: "datasourceDeleted"; readonly datasourceId: DatasourceId; readonly position: Position };
