import { useState } from "preact/hooks";
import { api, faultIn } from "../../api/client.js";
import { Confirm, Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pathOf, type Projection } from "./live.js";
import { say } from "./say.js";

interface ActionsProps {
  readonly projection: Projection;
  /** Told what an act without a question came to: null where it worked. */
  readonly onFault: (fault: string | null) => void;
}

type Asked =
  { readonly act: "rebuild" | "accept" | "rollback" | "pause" } | { readonly act: "drop"; readonly version: number };

/** What an operator can do with a read model as it stands. */
export function Actions({ projection, onFault }: ActionsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { state, kept, kind, under_way: underWay } = projection;
  const ask =
    (question: Asked): (() => void) =>
    () =>
      setAsked(question);
  const resume = async (): Promise<void> => onFault(await give("resume", projection.name));
  const isFree = kind === "read_model" && underWay === null;
  return (
    <div class="actions">
      {isFree && (
        <button type="button" class="primary" onClick={ask({ act: "rebuild" })}>
          {say("rebuild")}
        </button>
      )}
      {underWay?.phase === "waiting_for_accept" && (
        <button type="button" class="primary" onClick={ask({ act: "accept" })}>
          {say("accept")}
        </button>
      )}
      {underWay !== null && (
        <button type="button" class="danger" onClick={ask({ act: "drop", version: underWay.version })}>
          {say("drop")}
        </button>
      )}
      {isFree && kept.length > 0 && (
        <button type="button" onClick={ask({ act: "rollback" })}>
          {say("rollBack")}
        </button>
      )}
      {state === "paused" ? (
        <button type="button" onClick={() => void resume()}>
          {say("resume")}
        </button>
      ) : (
        <button type="button" onClick={ask({ act: "pause" })}>
          {say("pause")}
        </button>
      )}
      {asked !== null && <Question asked={asked} projection={projection} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface QuestionProps {
  readonly asked: Asked;
  readonly projection: Projection;
  readonly onClose: () => void;
}

/** Says what an act does before it is done. */
function Question({ asked, projection, onClose }: QuestionProps) {
  const { name, under_way: underWay } = projection;
  if (asked.act === "rebuild") return <Rebuild name={name} onClose={onClose} />;
  if (asked.act === "drop") {
    const { version } = asked;
    const drop = async (): Promise<string | null> =>
      faultIn(await api.POST("/api/admin/projections/{name}/drop", { ...pathOf(name), body: { version } }));
    return (
      <Confirm title={say("dropTitle", { name, version })} act={say("drop")} onClose={onClose} onConfirm={drop}>
        <p>{say("dropWhat")}</p>
      </Confirm>
    );
  }
  const chosen = asked.act;
  const { title, what, act } = questions[chosen];
  return (
    <Confirm
      title={say(title, { name, version: underWay?.version ?? 0 })}
      act={say(act)}
      onClose={onClose}
      onConfirm={() => give(chosen, name)}
    >
      <p>{say(what)}</p>
    </Confirm>
  );
}

const questions = {
  accept: { title: "acceptTitle", what: "acceptWhat", act: "accept" },
  rollback: { title: "rollBackTitle", what: "rollBackWhat", act: "rollBack" },
  pause: { title: "pauseTitle", what: "pauseWhat", act: "pause" },
} as const;

const routes = {
  accept: "/api/admin/projections/{name}/accept",
  rollback: "/api/admin/projections/{name}/rollback",
  pause: "/api/admin/projections/{name}/pause",
  resume: "/api/admin/projections/{name}/resume",
} as const;

const give = async (act: keyof typeof routes, name: string): Promise<string | null> =>
  faultIn(await api.POST(routes[act], pathOf(name)));

function Rebuild({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const begin = async (given: FormData): Promise<string | null> => {
    const body = { verify: given.has("verify"), accept: given.has("accept"), keep: Number(given.get("keep")) };
    const fault = faultIn(await api.POST("/api/admin/projections/{name}/rebuild", { ...pathOf(name), body }));
    if (fault === null) onClose();
    return fault;
  };
  return (
    <Dialog title={say("rebuildTitle", { name })} onClose={onClose}>
      <Form act={say("begin")} onSend={begin}>
        <p>{say("rebuildWhat")}</p>
        <label class="check">
          <input type="checkbox" name="verify" defaultChecked />
          {say("verify")}
        </label>
        <label class="check">
          <input type="checkbox" name="accept" />
          {say("acceptWhatever")}
        </label>
        <Field label={say("keep")} name="keep" type="number" min={0} max={100} defaultValue="1" required />
      </Form>
    </Dialog>
  );
}
