import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId } from "../../shared/ids.js";
import { close, originOf, type Interval, type Timeline } from "./intervals.js";
import type { HistoryKind } from "./streamHistories.js";

/** One registration of a datasource's name. */
export interface IncarnationInterval extends Interval {
  readonly datasourceId: DatasourceId;
}

/** Every incarnation of one name. */
export const datasourceHistory: HistoryKind<Timeline<IncarnationInterval>> = {
  empty: () => [],
  follow(incarnations, recorded: RecordedEvent) {
    const { event } = recorded;
    if (event.type === "DatasourceRegistered")
      incarnations.push({ datasourceId: event.data.datasourceId, opened: originOf(recorded), closed: null });
    if (event.type === "DatasourceDeleted") close(incarnations, originOf(recorded));
  },
  weigh: (incarnations) => incarnations.length,
};
