import type { OwnCommands } from "../../commands/commands.js";
import type { Queries } from "../../queries/queries.js";

/**
 * Folds the group graphs of all datasources, one after the other, so that the first command on each need not wait for
 * it; requests are answered in between. Where that fails, the first commands do it, and tell of whatever is wrong.
 */
export async function foldGroupGraphs(
  fold: OwnCommands["foldGroupGraph"],
  queries: Queries,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  try {
    const datasources = await queries.listDatasources({ atLeast: null });
    for (const { datasourceId } of datasources.ok ? datasources.value : [])
      if (!signal.aborted) await fold(datasourceId);
  } catch {
    return;
  }
}
