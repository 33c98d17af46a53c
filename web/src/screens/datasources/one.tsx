import { useState } from "preact/hooks";
import { addressOf, useQuery } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Page } from "../../parts/page.js";
import { Documents } from "./documents.js";
import { Editor } from "./editor.js";
import { Groups } from "./groups.js";
import { Memberships } from "./memberships.js";
import { say } from "./say.js";
import { Settings } from "./settings.js";
import { Users } from "./users.js";

const tabs = ["users", "groups", "memberships", "documents", "settings"] as const;

/** One datasource, a part at a time; which part is in the address. */
export function OneDatasource({ name }: { readonly name: string }) {
  const query = useQuery();
  const [isEditing, setEditing] = useState(false);
  const answer = useAnswer(name, (signal) =>
    api.GET("/api/admin/datasources/{name}", { params: { path: { name } }, signal }),
  );
  const { data, again } = answer;
  const tab = tabs.find((key) => key === query.get("tab")) ?? "users";
  const edit = data !== null && (
    <button type="button" onClick={() => setEditing(true)}>
      {say("edit")}
    </button>
  );
  return (
    <Page title={data?.display_name ?? name} actions={edit}>
      <p>
        <a href="/datasources">{say("back")}</a>
      </p>
      <Answered answer={answer}>
        {(datasource) => (
          <>
            <nav class="tabs" aria-label={say("tabs")}>
              {tabs.map((key) => (
                <a
                  key={key}
                  href={addressOf(`/datasources/${name}`, { tab: key })}
                  aria-current={key === tab ? "page" : undefined}
                  ref={key === tab ? showInRow : undefined}
                >
                  {say(key)}
                </a>
              ))}
            </nav>
            <Part tab={tab} datasource={datasource} again={again} />
          </>
        )}
      </Answered>
      {isEditing && data !== null && <Editor datasource={data} onClose={() => setEditing(false)} onSaved={again} />}
    </Page>
  );
}

/** Where tabs are wider than the window, the one that is open is in sight. */
const showInRow = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: "nearest", inline: "nearest" });

interface PartProps {
  readonly tab: (typeof tabs)[number];
  readonly datasource: Schemas["DatasourceAnswer"];
  readonly again: () => void;
}

function Part({ tab, datasource, again }: PartProps) {
  const { name } = datasource;
  switch (tab) {
    case "users":
      return <Users datasource={name} />;
    case "groups":
      return <Groups datasource={name} />;
    case "memberships":
      return <Memberships datasource={name} />;
    case "documents":
      return <Documents datasource={name} />;
    case "settings":
      return <Settings datasource={datasource} again={again} />;
    default:
      return tab satisfies never;
  }
}
