import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Busy } from "../../parts/states.js";
import { has } from "../../session.js";
import { say } from "./say.js";

interface LossesProps {
  /** The request of the Indexing API that does what is about to be done. */
  readonly method: "DELETE";
  readonly path: string;
}

/** What would stop being visible, counted before it is done: for those who may ask that. */
export function Losses({ method, path }: LossesProps) {
  const requests = [{ method, path }];
  const { data, isBusy } = useAnswer(
    path,
    has("auditor")
      ? (signal) => api.POST("/api/audit/what-if", { params: { query: { count: 1 } }, body: { requests }, signal })
      : null,
  );
  if (isBusy) return <Busy what={say("losing")} />;
  if (data === null) return null;
  const { total_losses: count, total_relation: relation } = data;
  if (count === 0) return <p class="notice">{say("losesNothing")}</p>;
  return <p class="warning">{say(relation === "gte" ? "losesAtLeast" : "loses", { count })}</p>;
}
