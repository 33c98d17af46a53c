import { useState } from "preact/hooks";
import { useQuery } from "../../address.js";
import { api, faultIn } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { LineForm } from "../../parts/form.js";
import { LongList, pageFrom, pageIn } from "../../parts/longList.js";
import { Empty } from "../../parts/states.js";
import { GroupDetail } from "./groupDetail.js";
import { Losses } from "./losses.js";
import { PrefixFilter } from "./prefix.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";

/** The groups of a datasource; the one that is open is in the address. */
export function Groups({ datasource }: { readonly datasource: string }) {
  const query = useQuery();
  const prefix = query.get("prefix") ?? "";
  const opened = query.get("group");
  const [round, setRound] = useState(0);
  const [deleted, setDeleted] = useState<string | null>(null);
  const again = (): void => setRound((count) => count + 1);
  return (
    <>
      <Creation datasource={datasource} onDone={again} />
      <PrefixFilter label="filterGroups" />
      <LongList
        label={say("groups")}
        listKey={`${round} ${prefix}`}
        load={async (next, signal) => {
          const params = { path: { datasource }, query: { prefix, ...pageFrom(next) } };
          return pageIn(await api.GET("/api/admin/groups/{datasource}", { params, signal }), ({ groups }) => groups);
        }}
        keyOf={({ name }) => name}
        row={({ name }) => (
          <>
            <button type="button" class="link grow" onClick={() => query.set({ group: name })}>
              {name}
            </button>
            <RowAct act={say("deleteGroup")} of={name} onClick={() => setDeleted(name)} />
          </>
        )}
        empty={
          <Empty title={say("noGroups")}>
            <p>{say("noGroupsDo")}</p>
          </Empty>
        }
      />
      {opened !== null && (
        <GroupDetail
          key={opened}
          datasource={datasource}
          group={opened}
          onOpen={(group) => query.set({ group })}
          onRenamed={(group) => {
            again();
            query.set({ group }, "replace");
          }}
          onClose={() => query.set({ group: null })}
        />
      )}
      {deleted !== null && (
        <Confirm
          title={say("deleteGroupTitle", { group: deleted })}
          act={say("deleteGroup")}
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            const params = { path: { datasource, group_name: deleted } };
            const fault = faultIn(await api.DELETE("/api/admin/groups/{datasource}/{group_name}", { params }));
            again();
            return fault;
          }}
        >
          <p>{say("deleteGroupWhat", { group: deleted })}</p>
          <Losses method="DELETE" path={`/api/indexing/groups/${datasource}/${encodeURIComponent(deleted)}`} />
        </Confirm>
      )}
    </>
  );
}

function Creation({ datasource, onDone }: { readonly datasource: string; readonly onDone: () => void }) {
  const create = async (given: FormData): Promise<string | null> => {
    const group = { name: String(given.get("name")) };
    const fault = faultIn(await api.POST("/api/admin/groups", { body: { datasource, group } }));
    if (fault === null) onDone();
    return fault;
  };
  return (
    <details>
      <summary>{say("createGroup")}</summary>
      <LineForm act={say("createIt")} onSend={create}>
        <Field label={say("name")} name="name" maxLength={128} required />
      </LineForm>
    </details>
  );
}
