import { useState } from "preact/hooks";
import { addressOf, useQuery } from "../../address.js";
import { api, faultIn } from "../../api/client.js";
import { Field } from "../../parts/field.js";
import { LineForm } from "../../parts/form.js";
import { LongList, pageFrom, pageIn } from "../../parts/longList.js";
import { Empty } from "../../parts/states.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";
import { TakeOut } from "./takeOut.js";

/** The groups that a person is in; who that is stands in the address. */
export function Memberships({ datasource }: { readonly datasource: string }) {
  const query = useQuery();
  const person = query.get("person");
  const show = async (given: FormData): Promise<null> => {
    query.set({ person: String(given.get("person")).trim() || null });
    return null;
  };
  return (
    <>
      <LineForm key={person} act={say("show")} onSend={show}>
        <Field
          label={say("ofWhom")}
          name="person"
          type="email"
          defaultValue={person ?? ""}
          placeholder={say("email")}
        />
      </LineForm>
      {person === null ? <Empty title={say("notAsked")} /> : <OfPerson datasource={datasource} email={person} />}
    </>
  );
}

function OfPerson({ datasource, email }: { readonly datasource: string; readonly email: string }) {
  const [round, setRound] = useState(0);
  const [left, setLeft] = useState<string | null>(null);
  const again = (): void => setRound((count) => count + 1);
  const join = async (given: FormData): Promise<string | null> => {
    const membership = { group_name: String(given.get("group")).trim(), member_email: email };
    const fault = faultIn(await api.POST("/api/admin/memberships", { body: { datasource, membership } }));
    if (fault === null) again();
    return fault;
  };
  return (
    <section class="stack">
      <h2>{say("groupsOf", { email })}</h2>
      <LineForm act={say("joinGroup")} onSend={join}>
        <Field label={say("groupName")} name="group" maxLength={128} required />
      </LineForm>
      <LongList
        label={say("groupsOf", { email })}
        listKey={`${email} ${round}`}
        load={async (next, signal) => {
          const params = { path: { datasource, email }, query: pageFrom(next) };
          const answer = await api.GET("/api/admin/users/{datasource}/{email}/groups", { params, signal });
          return pageIn(answer, ({ groups }) => groups);
        }}
        keyOf={({ name }) => name}
        row={({ name }) => (
          <>
            <span class="grow">
              <a href={addressOf(`/datasources/${datasource}`, { tab: "groups", group: name })}>{name}</a>
            </span>
            <RowAct act={say("takeOut")} of={name} onClick={() => setLeft(name)} />
          </>
        )}
        empty={<p class="quiet">{say("noGroupsOf")}</p>}
      />
      {left !== null && (
        <TakeOut
          datasource={datasource}
          group={left}
          type="user"
          member={email}
          onClose={() => setLeft(null)}
          onDone={again}
        />
      )}
    </section>
  );
}
