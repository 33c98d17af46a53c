import type { RecordedEvent } from "../../events/domainEvent.js";
import type { DatasourceId } from "../../shared/ids.js";
import { close, originOf, type Interval, type Timeline } from "./intervals.js";
import type { HistoryKind } from "./streamHistories.js";

/** One registration of a datasource's name. */
export interface GenerationInterval extends Interval {
  readonly datasourceId: DatasourceId;
}

/** Every generation of one name. */
export const datasourceHistory: HistoryKind<Timeline<GenerationInterval>> = {
  empty: () => [],
  follow(generations, recorded: RecordedEvent) {
    const { event } = recorded;
    if (event.type === "DatasourceRegistered") generations.push({ datasourceId: event.data.datasourceId, opened: originOf(recorded), closed: null });
    if (event.type === "DatasourceDeleted") close(generations, originOf(recorded));
  },
  weigh: (generations) => generations.length,
};
