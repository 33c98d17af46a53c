import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { locale } from "../../words.js";
import type { Sample } from "./live.js";

const height = 180;
/** As much as is shown at least. */
const shortestSeconds = 60;

/** What is shown: without a sample there is neither a first nor a last time. */
const rangeOf = (first: number | null, last: number | null): [number, number] =>
  first === null || last === null ? [0, shortestSeconds] : [Math.min(first, last - shortestSeconds), last];

const toTime = (seconds: number): string =>
  new Intl.DateTimeFormat(locale.value, { timeStyle: "medium" }).format(seconds * 1_000);

/** The lag of a read model over time, drawn; the sentence below says the same. */
export function Graph({ samples }: { readonly samples: readonly Sample[] }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const colour = (name: string): string => getComputedStyle(element).getPropertyValue(name);
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 } };
    const drawn = new uPlot(
      {
        ...{ width: element.clientWidth, height },
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_plot, least, most) => rangeOf(least, most) },
          y: { range: (_plot, _least, most) => [0, Math.max(1, most)] },
        },
        axes: [
          { ...axis, space: 90, values: (_plot, times) => times.map(toTime) },
          { ...axis, size: 48, values: (_plot, seconds) => seconds.map((value) => `${value} s`) },
        ],
        series: [{}, { stroke: colour("--accent"), fill: colour("--accent-ground"), width: 2 }],
      },
      [[], []],
      element,
    );
    plot.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      drawn.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([samples.map(({ at }) => at), samples.map(({ seconds }) => seconds)]);
  }, [samples]);
  return <div ref={place} class="graph" aria-hidden="true" />;
}
