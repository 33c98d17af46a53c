import { useState } from "preact/hooks";
import { api, faultIn } from "../../api/client.js";
import { Checks } from "../../parts/checks.js";
import { Dialog } from "../../parts/dialog.js";
import { Expiry } from "../../parts/expiry.js";
import { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { SecretDialog } from "../../parts/secret.js";
import { has, session } from "../../session.js";
import { say } from "./say.js";

/** What a key may do besides searching. */
const keyRoles = ["auditor", "operator"] as const;
type KeyRole = (typeof keyRoles)[number];

/** Creates a key, and shows it once. Administrators may create one for somebody else. */
export function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const [roles, setRoles] = useState<readonly KeyRole[]>([]);
  const [expiresAt, setExpiry] = useState<string | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const offered = keyRoles.filter((role) => has(role) || has("administrator"));
  const create = async (given: FormData): Promise<string | null> => {
    const body = { email: String(given.get("email")), roles: [...roles], expires_at: expiresAt };
    const answer = await api.POST("/api/admin/api-keys", { body });
    setKey(answer.data?.key ?? null);
    return faultIn(answer);
  };
  if (key !== null)
    return <SecretDialog title={say("createdTitle")} label={say("key")} value={key} onClose={onClose} />;
  return (
    <Dialog title={say("new")} onClose={onClose}>
      <Form act={say("create")} onSend={create}>
        <Field
          label={say("email")}
          name="email"
          type="email"
          defaultValue={session.value?.email ?? ""}
          readOnly={!has("administrator")}
          required
          help={say("emailHelp")}
        />
        {offered.length > 0 && (
          <Checks
            legend={say("roles")}
            of={offered.map((role) => [role, say(role)])}
            chosen={roles}
            onChoose={setRoles}
          />
        )}
        <Expiry onChoose={setExpiry} />
      </Form>
    </Dialog>
  );
}
