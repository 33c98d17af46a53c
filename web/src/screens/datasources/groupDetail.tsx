import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { LineForm } from "../../parts/form.js";
import { LongList, pageFrom, pageIn } from "../../parts/longList.js";
import { RowAct } from "./rowAct.js";
import { say } from "./say.js";
import { TakeOut } from "./takeOut.js";

type Member = Schemas["MembersAnswer"]["members"][number];

interface GroupDetailProps {
  readonly datasource: string;
  readonly group: string;
  readonly onOpen: (group: string) => void;
  readonly onRenamed: (group: string) => void;
  readonly onClose: () => void;
}

const nameOf = (member: Member): string => member.member_email ?? member.member_group_name ?? "";

/** A group: what it is in, who is in it, and how to change that. */
export function GroupDetail({ datasource, group, onOpen, onRenamed, onClose }: GroupDetailProps) {
  const [round, setRound] = useState(0);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const path = { datasource, group_name: group };
  const again = (): void => setRound((count) => count + 1);
  return (
    <Dialog title={group} onClose={onClose} size="wide">
      <Renaming datasource={datasource} group={group} onRenamed={onRenamed} />
      <Parents datasource={datasource} group={group} onOpen={onOpen} />
      <h3>{say("members")}</h3>
      <Joining datasource={datasource} group={group} onDone={again} />
      <LongList
        label={say("members")}
        listKey={`${round}`}
        load={async (next, signal) => {
          const params = { path, query: pageFrom(next) };
          const answer = await api.GET("/api/admin/groups/{datasource}/{group_name}/members", { params, signal });
          return pageIn(answer, ({ members }) => members);
        }}
        keyOf={nameOf}
        row={(member) => (
          <>
            {member.member_group_name === undefined ? (
              <span class="grow">{member.member_email}</span>
            ) : (
              <button type="button" class="link grow" onClick={() => onOpen(nameOf(member))}>
                {member.member_group_name}
              </button>
            )}
            <RowAct act={say("takeOut")} of={nameOf(member)} onClick={() => setLeaving(member)} />
          </>
        )}
        empty={<p class="quiet">{say("noMembers")}</p>}
      />
      {leaving !== null && (
        <TakeOut
          datasource={datasource}
          group={group}
          type={leaving.member_email === undefined ? "group" : "user"}
          member={nameOf(leaving)}
          onClose={() => setLeaving(null)}
          onDone={again}
        />
      )}
    </Dialog>
  );
}

function Parents({ datasource, group, onOpen }: Pick<GroupDetailProps, "datasource" | "group" | "onOpen">) {
  const path = { datasource, group_name: group };
  return (
    <>
      <h3>{say("parents")}</h3>
      <LongList
        label={say("parents")}
        listKey={group}
        load={async (next, signal) => {
          const params = { path, query: pageFrom(next) };
          const answer = await api.GET("/api/admin/groups/{datasource}/{group_name}/parents", { params, signal });
          return pageIn(answer, ({ groups }) => groups);
        }}
        keyOf={({ name }) => name}
        row={({ name }) => (
          <button type="button" class="link grow" onClick={() => onOpen(name)}>
            {name}
          </button>
        )}
        empty={<p class="quiet">{say("noParents")}</p>}
      />
    </>
  );
}

interface JoiningProps {
  readonly datasource: string;
  readonly group: string;
  readonly onDone: () => void;
}

function Joining({ datasource, group, onDone }: JoiningProps) {
  const join = async (given: FormData): Promise<string | null> => {
    const text = (name: string): string => String(given.get(name)).trim();
    const member = text("email") === "" ? { member_group_name: text("group") } : { member_email: text("email") };
    const body = { datasource, membership: { group_name: group, ...member } };
    const fault = faultIn(await api.POST("/api/admin/memberships", { body }));
    if (fault === null) onDone();
    return fault;
  };
  return (
    <LineForm act={say("addMember")} onSend={join}>
      <Field label={say("memberPerson")} name="email" type="email" />
      <Field label={say("memberGroup")} name="group" maxLength={128} />
    </LineForm>
  );
}

function Renaming({ datasource, group, onRenamed }: Pick<GroupDetailProps, "datasource" | "group" | "onRenamed">) {
  const rename = async (given: FormData): Promise<string | null> => {
    const name = String(given.get("name"));
    const params = { path: { datasource, group_name: group } };
    const body = { group_name: name };
    const fault = faultIn(await api.PUT("/api/admin/groups/{datasource}/{group_name}", { params, body }));
    if (fault === null) onRenamed(name);
    return fault;
  };
  return (
    <details>
      <summary>{say("rename")}</summary>
      <p>{say("renameWhat")}</p>
      <LineForm act={say("rename")} onSend={rename}>
        <Field label={say("name")} name="name" defaultValue={group} maxLength={128} required />
      </LineForm>
    </details>
  );
}
