import { useState } from "preact/hooks";
import { sentenceOf } from "../../api/client.js";
import { Field } from "../../parts/field.js";
import { Fault } from "../../parts/states.js";
import { words } from "../../words.js";
import { askLinks } from "./links.js";
import { granting, joining, leaving, registering, unregistering, type Granted, type TriedRequest } from "./requests.js";
import { splitName } from "./say.js";
import { SubjectField } from "./subjectField.js";

const say = words({
  en: {
    act: "Change",
    join: "Add to a group",
    leave: "Take out of a group",
    register: "Register on a datasource",
    unregister: "Delete from a datasource",
    grant: "Grant access",
    withdraw: "Withdraw access",
    group: "Group",
    groupHint: "datasource/group",
    member: "Who",
    memberHint: "E-mail, or datasource/group",
    datasource: "Datasource",
    what: "To what",
    whatHint: "datasource/id",
    add: "Try it",
    badGroup: "Write the group as datasource/name, such as handbook/staff.",
    badDocument: "Write what it is about as datasource/id, such as handbook/travel-2024.md.",
  },
  de: {
    act: "Änderung",
    join: "In eine Gruppe aufnehmen",
    leave: "Aus einer Gruppe herausnehmen",
    register: "Auf einer Datenquelle registrieren",
    unregister: "Von einer Datenquelle löschen",
    grant: "Zugriff gewähren",
    withdraw: "Zugriff entziehen",
    group: "Gruppe",
    groupHint: "datenquelle/gruppe",
    member: "Wer",
    memberHint: "E-Mail oder datenquelle/gruppe",
    datasource: "Datenquelle",
    what: "Worauf",
    whatHint: "datenquelle/id",
    add: "Versuchen",
    badGroup: "Schreiben Sie die Gruppe als datenquelle/name, etwa handbook/staff.",
    badDocument: "Schreiben Sie, worum es geht, als datenquelle/id, etwa handbook/travel-2024.md.",
  },
});

const acts = ["join", "leave", "grant", "withdraw", "register", "unregister"] as const;
type Act = (typeof acts)[number];

interface WhatIfFormProps {
  readonly document: string | null;
  readonly onAdd: (request: TriedRequest) => void;
}

/** Puts one change together. */
export function WhatIfForm({ document, onAdd }: WhatIfFormProps) {
  const [act, setAct] = useState<Act>("join");
  const [member, setMember] = useState("");
  const [group, setGroup] = useState("");
  const [target, setTarget] = useState(document ?? "");
  const [datasource, setDatasource] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const isOfGroup = act === "join" || act === "leave";
  const isOfGrant = act === "grant" || act === "withdraw";
  const add = async (): Promise<void> => {
    const made = await requestOf(act, {
      member: member.trim(),
      group: group.trim(),
      target: target.trim(),
      datasource,
    });
    setFault(typeof made === "string" ? made : null);
    if (typeof made !== "string") onAdd(made);
  };
  return (
    <form
      class="what-if-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="field">
        <span>{say("act")}</span>
        <select value={act} onChange={({ currentTarget }) => setAct(currentTarget.value as Act)}>
          {acts.map((name) => (
            <option key={name} value={name}>
              {say(name)}
            </option>
          ))}
        </select>
      </label>
      <SubjectField
        {...{ name: "member", label: say("member"), kind: "person", text: member, onText: setMember }}
        placeholder={say("memberHint")}
        onChoose={setMember}
      />
      {isOfGroup && (
        <SubjectField
          {...{ name: "group", label: say("group"), kind: "group", text: group, onText: setGroup }}
          placeholder={say("groupHint")}
          onChoose={setGroup}
        />
      )}
      {isOfGrant && (
        <SubjectField
          {...{ name: "target", label: say("what"), kind: "document", text: target, onText: setTarget }}
          placeholder={say("whatHint")}
          onChoose={setTarget}
        />
      )}
      {!isOfGroup && !isOfGrant && (
        <Field label={say("datasource")} value={datasource} onText={setDatasource} required />
      )}
      <button>{say("add")}</button>
      {fault !== null && <Fault>{fault}</Fault>}
    </form>
  );
}

interface Given {
  readonly member: string;
  readonly group: string;
  readonly target: string;
  readonly datasource: string;
}

/** The request of what was filled in; a sentence where something is wrong with that. */
async function requestOf(act: Act, { member, group, target, datasource }: Given): Promise<TriedRequest | string> {
  if (act === "register") return registering(datasource.trim(), member);
  if (act === "unregister") return unregistering(datasource.trim(), member);
  const named = splitName({ kind: "group", name: member });
  const asMember = member.includes("@")
    ? ({ member, of: "user" } as const)
    : ({ member: named.own, of: "group" } as const);
  if (act === "join" || act === "leave") {
    const { own, datasource: of } = splitName({ kind: "group", name: group });
    if (of === null) return say("badGroup");
    return (act === "join" ? joining : leaving)({ datasource: of, group: own, ...asMember });
  }
  if (splitName({ kind: "document", name: target }).datasource === null) return say("badDocument");
  const granted = await grantedBy(target);
  return typeof granted === "string" ? granted : granting(target, changed(granted, act, asMember));
}

/** Whom a document names now; a sentence where that cannot be had. */
async function grantedBy(document: string): Promise<Granted | string> {
  const { data, error } = await askLinks({ document }, new AbortController().signal).catch((failure: unknown) => ({
    data: undefined,
    error: failure,
  }));
  if (data === undefined) return sentenceOf(error);
  const grants = data.items.filter(({ link, from }) => link === "grant" && from.name === document).map(({ to }) => to);
  const ofKind = (kind: string): readonly string[] =>
    grants.filter((to) => to.kind === kind).map((to) => splitName(to).own);
  return { anonymous: ofKind("everybody").length > 0, users: ofKind("person"), groups: ofKind("group") };
}

function changed(
  granted: Granted,
  act: "grant" | "withdraw",
  { member, of }: { readonly member: string; readonly of: "user" | "group" },
): Granted {
  const key = of === "user" ? "users" : "groups";
  const others = granted[key].filter((each) => each !== member);
  return { ...granted, [key]: act === "grant" ? [...others, member] : others };
}
