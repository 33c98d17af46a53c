import { useState } from "preact/hooks";
import { addressOf, useQuery } from "../../address.js";
import { api, faultIn } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { LineForm } from "../../parts/form.js";
import { LongList, pageFrom, pageIn } from "../../parts/longList.js";
import { Empty } from "../../parts/states.js";
import { Losses } from "./losses.js";
import { PrefixFilter } from "./prefix.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";

/** Who may search a datasource. */
export function Users({ datasource }: { readonly datasource: string }) {
  const prefix = useQuery().get("prefix") ?? "";
  const [round, setRound] = useState(0);
  const [removed, setRemoved] = useState<string | null>(null);
  const again = (): void => setRound((count) => count + 1);
  return (
    <>
      <Registration datasource={datasource} onDone={again} />
      <PrefixFilter label="filterUsers" />
      <LongList
        label={say("users")}
        listKey={`${round} ${prefix}`}
        load={async (next, signal) => {
          const params = { path: { datasource }, query: { prefix, ...pageFrom(next) } };
          return pageIn(await api.GET("/api/admin/users/{datasource}", { params, signal }), ({ users }) => users);
        }}
        keyOf={({ email }) => email}
        row={({ email, name }) => (
          <>
            <span class="grow">
              <a href={addressOf(`/datasources/${datasource}`, { tab: "memberships", person: email })}>{email}</a>{" "}
              <span class="quiet">{name}</span>
            </span>
            <RowAct act={say("remove")} of={email} onClick={() => setRemoved(email)} />
          </>
        )}
        empty={
          <Empty title={say("noUsers")}>
            <p>{say("noUsersDo")}</p>
          </Empty>
        }
      />
      {removed !== null && (
        <Confirm
          title={say("removeUserTitle", { email: removed, datasource })}
          act={say("remove")}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            const params = { path: { datasource, email: removed } };
            const fault = faultIn(await api.DELETE("/api/admin/users/{datasource}/{email}", { params }));
            again();
            return fault;
          }}
        >
          <p>{say("removeUserWhat", { email: removed, datasource })}</p>
          <Losses method="DELETE" path={`/api/indexing/users/${datasource}/${encodeURIComponent(removed)}`} />
        </Confirm>
      )}
    </>
  );
}

function Registration({ datasource, onDone }: { readonly datasource: string; readonly onDone: () => void }) {
  const register = async (given: FormData): Promise<string | null> => {
    const name = String(given.get("name")).trim();
    const user = { email: String(given.get("email")), ...(name !== "" && { name }) };
    const fault = faultIn(await api.POST("/api/admin/users", { body: { datasource, user } }));
    if (fault === null) onDone();
    return fault;
  };
  return (
    <details>
      <summary>{say("register")}</summary>
      <LineForm act={say("registerIt")} onSend={register}>
        <Field label={say("email")} name="email" type="email" required />
        <Field label={say("personName")} name="name" />
      </LineForm>
    </details>
  );
}
