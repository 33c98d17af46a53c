import { addressOf } from "../../address.js";
import { api, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { Answered } from "../../parts/answered.js";
import { Dialog } from "../../parts/dialog.js";
import { Fact, Facts } from "../../parts/facts.js";
import { Instant } from "../../parts/instant.js";
import { has } from "../../session.js";
import { say } from "./say.js";

type State = Schemas["DocumentStateAnswer"];

interface DocumentDetailProps {
  readonly datasource: string;
  readonly id: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

const looks = { searchable: "good", queued: "warn", parked: "bad" } as const;

/** How far a document has come, what was read of it, and whom it is for. */
export function DocumentDetail({ datasource, id, onClose, onDelete }: DocumentDetailProps) {
  const path = { datasource, document_id: id };
  const answer = useAnswer(id, (signal) =>
    api.GET("/api/admin/documents/{datasource}/{document_id}", { params: { path }, signal }),
  );
  return (
    <Dialog title={answer.data?.title ?? id} onClose={onClose} size="wide">
      <Answered answer={answer}>
        {(data) => (
          <>
            <p>
              <span class={`state ${looks[data.state]}`}>{say(data.state)}</span>
            </p>
            <Parked state={data} />
            <Known state={data} />
            <p class="quiet">{say("skipped")}</p>
            <div class="actions">
              {has("auditor") && (
                <a class="button" href={addressOf("/access", { document: `${datasource}/${id}` })}>
                  {say("explore")}
                </a>
              )}
              {has("operator") && (
                <a class="button" href={addressOf("/events", { stream: data.stream })}>
                  {say("events")}
                </a>
              )}
              <button type="button" class="danger" onClick={onDelete}>
                {say("deleteDocument")}
              </button>
            </div>
          </>
        )}
      </Answered>
    </Dialog>
  );
}

function Parked({ state: { parked } }: { readonly state: State }) {
  return (
    <>
      {parked.map(({ projection, position, reason }) => (
        <div key={`${projection} ${position}`} class="fault">
          <p>{say("parkedWhy", { projection, position, reason })}</p>
          {has("operator") && <a href={addressOf("/read-models", { name: projection })}>{say("seeParked")}</a>}
        </div>
      ))}
    </>
  );
}

function Known({ state }: { readonly state: State }) {
  const { received, first_received: first, read, permissions, last_modified: modified, path } = state;
  return (
    <Facts>
      <Fact name={say("document")}>
        <code>
          {state.datasource}/{state.document_id}
        </code>
      </Fact>
      <Fact name={say("received")}>
        <Instant at={received.time} />
      </Fact>
      {first !== null && (
        <Fact name={say("firstReceived")}>
          <Instant at={first.time} />
        </Fact>
      )}
      <Fact name={say("read")}>
        <p>{say("readWhat", { type: read.mime_type, size: read.size, text: read.text_bytes })}</p>
        {read.page_count !== undefined && (
          <p>
            {say("pages")}: {read.page_count}
          </p>
        )}
        {read.text_bytes === 0 && <p>{say("readNothing")}</p>}
        {read.truncated === true && <p>{say("truncated")}</p>}
        {read.ocr_used === true && <p>{say("ocr")}</p>}
      </Fact>
      <Fact name={say("permissions")}>
        <Grants permissions={permissions} />
      </Fact>
      {modified !== null && (
        <Fact name={say("modified")}>
          <Instant at={modified} />
        </Fact>
      )}
      {path !== null && <Fact name={say("path")}>{path}</Fact>}
    </Facts>
  );
}

function Grants({ permissions }: Pick<State, "permissions">) {
  const { allow_anonymous_access: everybody, allowed_users: users, allowed_groups: groups } = permissions;
  const named = [...groups, ...users];
  return (
    <>
      {everybody && <p>{say("everybody")}</p>}
      {named.length > 0 && <p>{named.join(", ")}</p>}
      {!everybody && named.length === 0 && <p>{say("nobodySees")}</p>}
      {permissions.is_default && <p class="quiet">{say("byDefault")}</p>}
    </>
  );
}
