import { useState } from "preact/hooks";
import { api, faultIn, type Schemas } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";
import { toggled } from "../../parts/checks.js";
import { Dialog } from "../../parts/dialog.js";
import { Expiry } from "../../parts/expiry.js";
import { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { SecretDialog } from "../../parts/secret.js";
import { say } from "./say.js";

type Created = Schemas["CreatedServiceAccountAnswer"];

/** Creates a service account, and shows its token once (spec: Service-account tokens, rule 2). */
export function NewServiceAccount({ onClose }: { readonly onClose: () => void }) {
  const [limits, setLimits] = useState<readonly string[] | null>(null);
  const [expiresAt, setExpiry] = useState<string | null>(null);
  const [created, setCreated] = useState<Created | null>(null);
  const create = async (given: FormData): Promise<string | null> => {
    const datasources = limits === null ? null : [...limits];
    const body = { name: String(given.get("name")), datasources, expires_at: expiresAt };
    const answer = await api.POST("/api/admin/service-accounts", { body });
    setCreated(answer.data ?? null);
    return faultIn(answer);
  };
  if (created !== null) {
    const { name, token } = created;
    return <SecretDialog title={say("createdTitle", { name })} label={say("token")} value={token} onClose={onClose} />;
  }
  return (
    <Dialog title={say("new")} onClose={onClose}>
      <Form act={say("create")} onSend={create}>
        <Field label={say("name")} name="name" maxLength={200} required autofocus help={say("nameHelp")} />
        <Limits chosen={limits} onChoose={setLimits} />
        <Expiry onChoose={setExpiry} />
      </Form>
    </Dialog>
  );
}

interface LimitsProps {
  /** null: all. */
  readonly chosen: readonly string[] | null;
  readonly onChoose: (chosen: readonly string[] | null) => void;
}

function Limits({ chosen, onChoose }: LimitsProps) {
  const { data } = useAnswer("datasources", (signal) => api.GET("/api/admin/datasources", { signal }));
  return (
    <fieldset>
      <legend>{say("datasources")}</legend>
      <label class="check">
        <input type="radio" name="limits" checked={chosen === null} onChange={() => onChoose(null)} />
        <span>{say("allHelp")}</span>
      </label>
      <label class="check">
        <input type="radio" name="limits" checked={chosen !== null} onChange={() => onChoose([])} />
        <span>{say("some")}</span>
      </label>
      {chosen !== null && data?.length === 0 && <p class="help">{say("noDatasources")}</p>}
      {chosen !== null &&
        data?.map(({ name, display_name: shown }) => (
          <label class="check indented" key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget }) => onChoose(toggled(chosen, name, currentTarget.checked))}
            />
            <span>
              {shown} <span class="quiet">{name}</span>
            </span>
          </label>
        ))}
    </fieldset>
  );
}
