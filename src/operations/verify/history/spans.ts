import { still } from "../../../audit/visibility/intervalSet.js";
import type { Interval } from "../../../audit/timeline/intervals.js";

/** When something was so: `[opened, closed]`, in order; `still` where it has not ended. */
export type Spans = readonly (readonly [opened: number, closed: number])[];

/** Words such as `from 4 to 10, from 12 on`. */
export const describeSpans = (spans: Spans): string =>
  spans.map(([opened, closed]) => (closed === still ? `from ${opened} on` : `from ${opened} to ${closed}`)).join(", ");

/** The same of what the log tells. */
export const intervalsInWords = (intervals: readonly Interval[]): string =>
  describeSpans(
    intervals.map(({ opened, closed }) => [Number(opened.position), closed === null ? still : Number(closed.position)]),
  );
