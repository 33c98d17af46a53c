import { useState } from "preact/hooks";
import { useQuery } from "../../address.js";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { credentialColumns, workingFirst } from "../../parts/credential.js";
import { Confirm } from "../../parts/dialog.js";
import { Instant } from "../../parts/instant.js";
import { Page } from "../../parts/page.js";
import { Empty } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { has } from "../../session.js";
import { NewApiKey } from "./newApiKey.js";
import { say } from "./say.js";

type Listed = Schemas["ApiKeysAnswer"]["api_keys"][number];

/** Personal keys: one's own; for administrators everybody's too. */
export function ApiKeys() {
  const query = useQuery();
  const isAll = query.get("of") === "all" && has("administrator");
  const answer = useAnswer(`apiKeys ${isAll}`, (signal) =>
    api.GET("/api/admin/api-keys", { signal, params: { query: isAll ? { all: true } : {} } }),
  );
  const [opened, setOpened] = useState<Listed | "new" | null>(null);
  const close = (): void => {
    setOpened(null);
    answer.again();
  };
  return (
    <Page
      title={say("title")}
      actions={
        <button type="button" class="primary" onClick={() => setOpened("new")}>
          {say("new")}
        </button>
      }
    >
      <p class="quiet">{say("what")}</p>
      {has("administrator") && <Tabs isAll={isAll} />}
      <Answered
        answer={answer}
        isEmpty={({ api_keys: keys }) => keys.length === 0}
        empty={<Empty title={say("none")}>{say("noneHelp")}</Empty>}
      >
        {({ api_keys: keys }) => <Keys of={keys} onRevoke={setOpened} />}
      </Answered>
      {opened === "new" && <NewApiKey onClose={close} />}
      {opened !== null && opened !== "new" && <RevokeKey listed={opened} onClose={close} />}
    </Page>
  );
}

const Tabs = ({ isAll }: { readonly isAll: boolean }) => (
  <div class="tabs">
    <a href="/api-keys" aria-current={isAll ? undefined : "page"}>
      {say("mine")}
    </a>
    <a href="/api-keys?of=all" aria-current={isAll ? "page" : undefined}>
      {say("all")}
    </a>
  </div>
);

const Keys = ({ of, onRevoke }: { readonly of: readonly Listed[]; readonly onRevoke: (key: Listed) => void }) => (
  <Table
    label={say("title")}
    items={workingFirst(of)}
    keyOf={({ id }) => id}
    columns={[
      { name: say("key"), cell: ({ id }) => <code>{id}</code> },
      { name: say("person"), cell: ({ email }) => email },
      {
        name: say("roles"),
        cell: ({ roles }) => roles.join(", ") || <span class="quiet">{say("noRoles")}</span>,
      },
      ...credentialColumns(),
      { name: say("created"), cell: ({ created_at: at }) => <Instant at={at} precision="day" /> },
    ]}
    actions={(listed) =>
      listed.state === "active" && (
        <button type="button" class="danger" onClick={() => onRevoke(listed)}>
          {say("revoke")}
        </button>
      )
    }
  />
);

function RevokeKey({ listed: { id, email }, onClose }: { readonly listed: Listed; readonly onClose: () => void }) {
  const revoke = async (): Promise<string | null> =>
    faultIn(await api.DELETE("/api/admin/api-keys/{id}", { params: { path: { id } } }));
  return (
    <Confirm title={say("revokeTitle", { id })} act={say("revoke")} onConfirm={revoke} onClose={onClose}>
      <p>{say("revokeWhat", { email: email ?? "" })}</p>
    </Confirm>
  );
}
