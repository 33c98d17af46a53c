import { match } from "ts-pattern";
import type { DatasourceId } from "../../shared/ids.js";
import { close, type Interval, type Intervals } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

/** One registration of a datasource's name. */
export interface IncarnationInterval extends Interval {
  readonly datasourceId: DatasourceId;
}

/** Every incarnation of one name. */
export const incarnationTimeline: TimelineKind<"incarnation", Intervals<IncarnationInterval>> = {
  about: "incarnation",
  empty: () => [],
  follow(incarnations, fact, origin) {
    match(fact)
      .with({ kind: "opened" }, ({ datasourceId }) => {
        incarnations.push({ datasourceId, opened: origin, closed: null });
      })
      .with({ kind: "closed" }, ({ datasourceId }) =>
        close(
          incarnations.filter((incarnation) => incarnation.datasourceId === datasourceId),
          origin,
        ),
      )
      .exhaustive();
  },
  cacheCost: (incarnations) => incarnations.length,
};
