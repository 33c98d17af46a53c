import { useState } from "preact/hooks";
import { useQuery } from "../../address.js";
import { api, faultIn } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Instant } from "../../parts/instant.js";
import { LongList, pageFrom, pageIn } from "../../parts/longList.js";
import { Empty } from "../../parts/states.js";
import { DocumentDetail } from "./documentDetail.js";
import { PrefixFilter } from "./prefix.js";
import { say } from "./say.js";

/** The documents of a datasource, with how far each has come. */
export function Documents({ datasource }: { readonly datasource: string }) {
  const query = useQuery();
  const prefix = query.get("prefix") ?? "";
  const opened = query.get("document");
  const [round, setRound] = useState(0);
  const [deleted, setDeleted] = useState<string | null>(null);
  return (
    <>
      <PrefixFilter label="filterDocuments" />
      <LongList
        label={say("documents")}
        listKey={`${round} ${prefix}`}
        load={async (next, signal) => {
          const params = { path: { datasource }, query: { prefix, ...pageFrom(next) } };
          const answer = await api.GET("/api/admin/documents/{datasource}", { params, signal });
          return pageIn(answer, ({ documents }) => documents);
        }}
        keyOf={({ id }) => id}
        row={({ id, title, state, last_modified: modified }) => (
          <>
            <span class="grow">
              <button type="button" class="link" onClick={() => query.set({ document: id })}>
                {title === "" ? id : title}
              </button>
              <span class="quiet"> {id}</span>
            </span>
            {modified !== null && (
              <span class="quiet">
                <Instant at={modified} precision="day" />
              </span>
            )}
            <span class={`state ${state === "searchable" ? "good" : "warn"}`}>{say(state)}</span>
          </>
        )}
        empty={
          <Empty title={say("noDocuments")}>
            <p>{say("noDocumentsDo")}</p>
          </Empty>
        }
      />
      {opened !== null && (
        <DocumentDetail
          key={opened}
          datasource={datasource}
          id={opened}
          onClose={() => query.set({ document: null })}
          onDelete={() => setDeleted(opened)}
        />
      )}
      {deleted !== null && (
        <Confirm
          title={say("deleteDocumentTitle", { document: `${datasource}/${deleted}` })}
          act={say("deleteDocument")}
          onClose={() => setDeleted(null)}
          onConfirm={async () => {
            const params = { path: { datasource, document_id: deleted } };
            const fault = faultIn(await api.DELETE("/api/admin/documents/{datasource}/{document_id}", { params }));
            if (fault !== null) return fault;
            setRound((count) => count + 1);
            query.set({ document: null });
            return null;
          }}
        >
          <p>{say("deleteDocumentWhat")}</p>
        </Confirm>
      )}
    </>
  );
}
