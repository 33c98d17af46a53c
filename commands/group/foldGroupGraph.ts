import { groupGraphStream, groupMembersStream } from "../../src/events/streams.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import { groupMembersAggregate } from "../groupMembers/decider.js";
import type { CommandServices } from "../services.js";
import { groupGraphAggregate } from "./decider.js";

/**
 * Folds the group graph of a datasource, and the replacements of its groups' members, ahead of the first command, which
 * would otherwise wait for it. Writes nothing. Waits in the stream's queue like any command, so that none is decided on
 * a graph that is half folded (ADR 8).
 */
export async function foldGroupGraph({ handler }: CommandServices, datasourceId: DatasourceId): Promise<void> {
  await handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(datasourceId),
    context: { by: "operator", correlationId: "", allowedDatasources: null },
    decide: () => ok({ events: [], value: null }),
  });
  await handler.read(groupMembersAggregate, groupMembersStream(datasourceId));
}
