import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Confirm } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Properties } from "./properties.js";
import { say } from "./say.js";
import { Subs } from "./subs.js";

type Datasource = Schemas["DatasourceAnswer"];

/** The sub tree, the properties, and the end of a datasource. */
export function Settings({ datasource, again }: { readonly datasource: Datasource; readonly again: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Subs datasource={datasource} again={again} />
      <Properties key={datasource.name} datasource={datasource} again={again} />
      <section class="stack">
        <h2>{say("deleteDatasource")}</h2>
        <div class="actions">
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            {say("deleteDatasource")}
          </button>
        </div>
      </section>
      {isDeleting && <Deletion name={datasource.name} onClose={() => setDeleting(false)} />}
    </>
  );
}

function Deletion({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState("");
  const counted = useAnswer(name, (signal) => api.GET("/api/admin/datasource-counts", { signal }));
  const counts = counted.data?.counts.find(({ datasource }) => datasource === name);
  const confirm = async (): Promise<string | null> => {
    if (typed !== name) return say("typeName", { datasource: name });
    const fault = faultIn(await api.DELETE("/api/admin/datasources/{name}", { params: { path: { name } } }));
    if (fault === null) route("/datasources");
    return fault;
  };
  return (
    <Confirm
      title={say("deleteDatasourceTitle", { datasource: name })}
      act={say("deleteDatasource")}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        {say("deleteDatasourceWhat", {
          users: counts?.users ?? "…",
          groups: counts?.groups ?? "…",
          documents: counts?.documents ?? "…",
        })}
      </p>
      <Field label={say("typeName", { datasource: name })} value={typed} onText={setTyped} autocomplete="off" />
    </Confirm>
  );
}
