import { useState } from "preact/hooks";
import { api, faultIn } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { stateColumn } from "../../parts/credential.js";
import { Instant } from "../../parts/instant.js";
import { Page } from "../../parts/page.js";
import { Fault } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { session } from "../../session.js";
import { DisableAccount, EditRoles, LinkDialog, NewAccount } from "./accountDialogs.js";
import type { Listed } from "./listed.js";
import { say } from "./say.js";

type Opened =
  | { readonly kind: "new" }
  | { readonly kind: "roles" | "disable"; readonly account: Listed }
  | { readonly kind: "link"; readonly email: string; readonly link: string };

/** People who sign in, and what they may do; for administrators. */
export function Accounts() {
  const answer = useAnswer("accounts", (signal) => api.GET("/api/admin/accounts", { signal }));
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const close = (): void => {
    setOpened(null);
    answer.again();
  };
  const issueLink = async (email: string): Promise<void> => {
    const issued = await api.POST("/api/admin/accounts/{email}/link", { params: { path: { email } } });
    setFailure(faultIn(issued));
    if (issued.data !== undefined) setOpened({ kind: "link", email, link: issued.data.link.url });
  };
  const enable = async (email: string): Promise<void> => {
    setFailure(faultIn(await api.POST("/api/admin/accounts/{email}/enable", { params: { path: { email } } })));
    answer.again();
  };
  return (
    <Page
      title={say("title")}
      actions={
        <button type="button" class="primary" onClick={() => setOpened({ kind: "new" })}>
          {say("new")}
        </button>
      }
    >
      <p class="quiet">{say("what")}</p>
      {failure !== null && <Fault>{failure}</Fault>}
      <Answered answer={answer}>
        {({ accounts }) => (
          <List
            of={accounts}
            onOpen={setOpened}
            onLink={(email) => void issueLink(email)}
            onEnable={(email) => void enable(email)}
          />
        )}
      </Answered>
      {opened?.kind === "new" && (
        <NewAccount onClose={close} onCreated={(email, link) => setOpened({ kind: "link", email, link })} />
      )}
      {opened?.kind === "link" && <LinkDialog email={opened.email} link={opened.link} onClose={close} />}
      {opened?.kind === "roles" && <EditRoles account={opened.account} onClose={close} />}
      {opened?.kind === "disable" && <DisableAccount email={opened.account.email} onClose={close} />}
    </Page>
  );
}

interface ListProps {
  readonly of: readonly Listed[];
  readonly onOpen: (opened: Opened) => void;
  readonly onLink: (email: string) => void;
  readonly onEnable: (email: string) => void;
}

const List = ({ of, ...acts }: ListProps) => (
  <Table
    label={say("title")}
    items={of}
    keyOf={({ email }) => email}
    columns={[
      { name: say("email"), cell: ({ email }) => <strong>{email}</strong> },
      {
        name: say("roles"),
        cell: ({ roles }) => roles.join(", ") || <span class="quiet">{say("noRoles")}</span>,
      },
      stateColumn(),
      {
        name: say("signIn"),
        cell: ({ last_sign_in_at: at }) => (at === null ? say("never") : <Instant at={at} />),
      },
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
    actions={(account) => <Acts account={account} {...acts} />}
  />
);

interface ActsProps extends Omit<ListProps, "of"> {
  readonly account: Listed;
}

const Acts = ({ account, onOpen, onLink, onEnable }: ActsProps) => (
  <>
    <button type="button" onClick={() => onOpen({ kind: "roles", account })}>
      {say("edit")}
    </button>
    {account.state === "enabled" && (
      <button type="button" onClick={() => onLink(account.email)}>
        {say("link")}
      </button>
    )}
    {account.state === "enabled" && account.email !== session.value?.email && (
      <button type="button" class="danger" onClick={() => onOpen({ kind: "disable", account })}>
        {say("disable")}
      </button>
    )}
    {account.state === "disabled" && (
      <button type="button" onClick={() => onEnable(account.email)}>
        {say("enable")}
      </button>
    )}
  </>
);
