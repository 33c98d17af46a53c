import { datasourceStream } from "../../src/events/streams.js";
import type { DatasourceLimit } from "../../src/shared/datasourceLimit.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import { datasourceAggregate } from "../datasource/decider.js";
import type { CommandHandler } from "../handleCommand.js";

/** Limits to these names, with the incarnations that bear them in the log now. */
export const limitsNow = (
  handler: CommandHandler,
  names: readonly DatasourceName[],
): Promise<readonly DatasourceLimit[]> =>
  Promise.all(
    names.map(async (name) => {
      const { state } = await handler.read(datasourceAggregate, datasourceStream(name));
      return { name, datasourceId: state?.datasourceId ?? null };
    }),
  );
