import { join } from "node:path";
import type { ContentEraser, ContentKey } from "../../projections/ports.js";
import { openSqliteReadModels } from "../../src/adapters/readStore/sqlite/openSqliteReadModels.js";
import { openSqliteReadModelWriters } from "../../src/composition/openSqliteReadModelWriters.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import { PrincipalTokens } from "../../src/shared/principalTokens.js";
import { temporaryFolder } from "./temporaryFolder.js";

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

/** `readModels.sqlite` in a folder of its own, open for writing and for reading. */
export function openTemporaryReadModels(eraser: ContentEraser = new RecordingEraser()) {
  const folder = temporaryFolder("read-models");
  const file = join(folder.path, "readModels.sqlite");
  const openWriters = () => openSqliteReadModelWriters({ file, tokens, eraser });
  let writers = openWriters();
  const readers = openSqliteReadModels({ file });
  return {
    file,
    readers,
    get writers() {
      return writers;
    },
    /** As a process does that ends and is started again. */
    restartWriters(): void {
      writers.close();
      writers = openWriters();
    },
    close(): void {
      readers.close();
      writers.close();
      folder.remove();
    },
  };
}

export type TemporaryReadModels = ReturnType<typeof openTemporaryReadModels>;
