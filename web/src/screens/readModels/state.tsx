import type { Projection } from "./live.js";
import { say } from "./say.js";

/** In one word: what an operator has to look at first. */
export function State({ projection }: { readonly projection: Projection }) {
  const { state, parked, last_error: error, under_way: underWay } = projection;
  if (underWay !== null) return <span class="state warn">{say(underWay.phase)}</span>;
  if (state === "paused") return <span class="state warn">{say("paused")}</span>;
  if (error !== null && error.recovered_at === null) return <span class="state bad">{say("waiting")}</span>;
  return <span class={`state ${(parked ?? 0) > 0 ? "bad" : "good"}`}>{say("running")}</span>;
}

/** How far it is behind, in a few words. */
export function lagOf({ lag }: Projection): string {
  if (lag === null) return say("unknown");
  const { events, seconds, or_more: orMore } = lag;
  if (events === 0) return say("none");
  return say(orMore ? "behindMore" : "behind", { events, seconds });
}
