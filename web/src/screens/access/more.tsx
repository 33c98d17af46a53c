import { Busy, Fault } from "../../parts/states.js";
import { say } from "./say.js";
import type { Pages } from "./usePages.js";

/** What stands below a list: that it goes on, is on its way, or could not be had. */
export function More({ of }: { readonly of: Pages<unknown, { readonly items: readonly unknown[] }> }) {
  if (of.fault !== null) return <Fault again={of.again}>{of.fault}</Fault>;
  if (of.isBusy) return <Busy />;
  if (of.more === null) return null;
  return (
    <button type="button" onClick={of.more}>
      {say("more")}
    </button>
  );
}
