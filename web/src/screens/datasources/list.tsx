import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Page } from "../../parts/page.js";
import { Empty } from "../../parts/states.js";
import { locale } from "../../words.js";
import { Editor } from "./editor.js";
import { iconOf } from "./icon.js";
import { say } from "./say.js";

type Counts = Schemas["DatasourceCountsAnswer"]["counts"][number];

/** Every datasource, with how much it holds. */
export function DatasourceList() {
  const { route } = useLocation();
  const [isCreating, setCreating] = useState(false);
  const listed = useAnswer("all", (signal) => api.GET("/api/admin/datasources", { signal }));
  const counted = useAnswer("all", (signal) => api.GET("/api/admin/datasource-counts", { signal }));
  const counts = new Map(counted.data?.counts.map((count) => [count.datasource, count]) ?? []);
  const create = (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {say("create")}
    </button>
  );
  return (
    <Page title={say("title")} actions={create}>
      <Answered
        answer={listed}
        isEmpty={(datasources) => datasources.length === 0}
        empty={
          <Empty title={say("none")}>
            <p>{say("noneDo")}</p>
          </Empty>
        }
      >
        {(datasources) => (
          <ul class="datasources">
            {datasources.map(({ name, display_name: displayName, icon_base64: icon }) => (
              <li key={name} class="card datasource">
                <img src={iconOf(icon)} alt="" width="32" height="32" />
                <div class="grow">
                  <a href={`/datasources/${name}`}>{displayName}</a>
                  <p class="quiet">{name}</p>
                </div>
                <CountsOf counts={counts.get(name)} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
      {isCreating && (
        <Editor
          datasource={null}
          onClose={() => setCreating(false)}
          onSaved={(name) => route(`/datasources/${name}`)}
        />
      )}
    </Page>
  );
}

function CountsOf({ counts }: { readonly counts: Counts | undefined }) {
  if (counts === undefined) return null;
  const { users, groups, documents } = counts;
  return (
    <dl class="counts">
      {(
        [
          ["documents", documents],
          ["users", users],
          ["groups", groups],
        ] as const
      ).map(([name, count]) => (
        <div key={name}>
          <dt>{say(name)}</dt>
          <dd>{new Intl.NumberFormat(locale.value).format(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
