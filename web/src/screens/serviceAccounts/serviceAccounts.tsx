import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { credentialColumns, workingFirst } from "../../parts/credential.js";
import { Instant } from "../../parts/instant.js";
import { Page } from "../../parts/page.js";
import { Empty } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { has } from "../../session.js";
import type { Listed } from "./listed.js";
import { NewServiceAccount } from "./newServiceAccount.js";
import { RevokeServiceAccount } from "./revokeServiceAccount.js";
import { RotateServiceAccount } from "./rotateServiceAccount.js";
import { say } from "./say.js";

/** What is open in front of the list. */
type Opened = { readonly kind: "new" } | { readonly kind: "revoke" | "rotate"; readonly account: Listed };

/** Credentials of programs that push documents (spec: Service-account tokens). */
export function ServiceAccounts() {
  const answer = useAnswer("serviceAccounts", (signal) => api.GET("/api/admin/service-accounts", { signal }));
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => {
    setOpened(null);
    answer.again();
  };
  const lacks = (["administrator", "developer"] as const).filter((role) => !has(role));
  return (
    <Page
      title={say("title")}
      actions={
        <button type="button" class="primary" disabled={lacks.length > 0} onClick={() => setOpened({ kind: "new" })}>
          {say("new")}
        </button>
      }
    >
      <p class="quiet">{say("what")}</p>
      {lacks.length > 0 && <p class="notice">{say("lacks", { roles: lacks.map((role) => say(role)).join(", ") })}</p>}
      <Answered
        answer={answer}
        isEmpty={({ service_accounts: accounts }) => accounts.length === 0}
        empty={<Empty title={say("none")}>{say("noneHelp")}</Empty>}
      >
        {({ service_accounts: accounts }) => (
          <Accounts of={accounts} mayRotate={lacks.length === 0} onOpen={setOpened} />
        )}
      </Answered>
      {opened?.kind === "new" && <NewServiceAccount onClose={close} />}
      {opened?.kind === "revoke" && <RevokeServiceAccount account={opened.account} onClose={close} />}
      {opened?.kind === "rotate" && <RotateServiceAccount account={opened.account} onClose={close} />}
    </Page>
  );
}

interface AccountsProps {
  readonly of: readonly Listed[];
  readonly mayRotate: boolean;
  readonly onOpen: (opened: Opened) => void;
}

const Accounts = ({ of, mayRotate, onOpen }: AccountsProps) => (
  <Table
    label={say("title")}
    items={workingFirst(of)}
    keyOf={({ id }) => id}
    columns={[
      {
        name: say("name"),
        cell: ({ name, id }) => (
          <>
            <strong>{name}</strong>
            <br />
            <code class="quiet">{id}</code>
          </>
        ),
      },
      { name: say("datasources"), cell: datasourcesOf },
      ...credentialColumns(),
      {
        name: say("created"),
        cell: ({ created_at: at, created_by: by }) => (
          <>
            <Instant at={at} precision="day" />
            <br />
            <span class="quiet">{by}</span>
          </>
        ),
      },
    ]}
    actions={(account) =>
      account.state === "active" && (
        <>
          {mayRotate && (
            <button type="button" onClick={() => onOpen({ kind: "rotate", account })}>
              {say("rotate")}
            </button>
          )}
          <button type="button" class="danger" onClick={() => onOpen({ kind: "revoke", account })}>
            {say("revoke")}
          </button>
        </>
      )
    }
  />
);

function datasourcesOf({ datasources, datasources_gone: gone }: Listed): string {
  if (datasources === null) return say("all");
  return datasources.map((name) => (gone.includes(name) ? say("gone", { name }) : name)).join(", ");
}
