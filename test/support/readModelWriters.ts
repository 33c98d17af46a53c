import type { HoldingLimits } from "../../projections/groupClosure/ports.js";
import type { ContentEraser, ContentKey } from "../../projections/ports.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { openSqliteReadModelWriters } from "./writersOverStores.js";

/** The tokens of tests. */
export const tokens = new PrincipalTokens("test");

/** Writes down what it was asked to erase. */
export class RecordingEraser implements ContentEraser {
  readonly erased: ({ readonly key: ContentKey; readonly before: Position } | DatasourceId)[] = [];

  async erase(key: ContentKey, before: Position): Promise<void> {
    this.erased.push({ key, before });
  }

  async eraseDatasource(datasourceId: DatasourceId): Promise<void> {
    this.erased.push(datasourceId);
  }
}

export interface WriterSettings {
  readonly eraser?: ContentEraser;
  readonly limits?: HoldingLimits;
}

/** The writers of one `readModels.sqlite`, with the tokens of tests. */
export const openReadModelWriters = (file: string, { eraser = new RecordingEraser(), limits }: WriterSettings = {}) =>
  openSqliteReadModelWriters({ file, tokens, eraser, limits });
