import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { LineForm } from "../../parts/form.js";
import { Select } from "../../parts/select.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";

type Datasource = Schemas["DatasourceAnswer"];
type Sub = Datasource["subs"][number];

interface SubsProps {
  readonly datasource: Datasource;
  readonly again: () => void;
}

/** The parts of a datasource, on two levels. */
export function Subs({ datasource, again }: SubsProps) {
  const [removed, setRemoved] = useState<Sub | null>(null);
  const { name, subs } = datasource;
  const tree = (level: readonly Sub[]) => (
    <ul class="subs">
      {level.map((sub) => (
        <li key={sub.key}>
          <span>
            {sub.name} <code class="quiet">{sub.key}</code>{" "}
            <RowAct act={say("remove")} of={sub.name} onClick={() => setRemoved(sub)} />
          </span>
          {sub.subs.length > 0 && tree(sub.subs)}
        </li>
      ))}
    </ul>
  );
  return (
    <section class="stack">
      <h2>{say("subs")}</h2>
      {subs.length === 0 ? <p class="quiet">{say("noSubs")}</p> : tree(subs)}
      <Addition datasource={datasource} again={again} />
      {removed !== null && (
        <Confirm
          title={say("removeSubTitle", { sub: removed.name })}
          act={say("remove")}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            const query = removed.parent_key === null ? {} : { parent_key: removed.parent_key };
            const params = { path: { name, sub_key: removed.key }, query };
            const fault = faultIn(await api.DELETE("/api/admin/datasources/{name}/subs/{sub_key}", { params }));
            again();
            return fault;
          }}
        >
          <p>{say("removeSubWhat")}</p>
        </Confirm>
      )}
    </section>
  );
}

function Addition({ datasource: { name, subs }, again }: SubsProps) {
  const add = async (given: FormData): Promise<string | null> => {
    const parent = String(given.get("parent"));
    const body = { name: String(given.get("sub")), ...(parent !== "" && { parent_key: parent }) };
    const params = { path: { name } };
    const fault = faultIn(await api.POST("/api/admin/datasources/{name}/subs", { params, body }));
    if (fault === null) again();
    return fault;
  };
  return (
    <LineForm act={say("addSub")} onSend={add}>
      <Field label={say("subName")} name="sub" required />
      <Select
        label={say("subParent")}
        name="parent"
        of={[["", say("top")], ...subs.map((sub) => [sub.key, sub.name] as const)]}
      />
    </LineForm>
  );
}
