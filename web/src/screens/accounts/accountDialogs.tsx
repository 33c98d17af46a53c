import { useState } from "preact/hooks";
import { api, faultIn } from "../../api/client.js";
import { Checks } from "../../parts/checks.js";
import { Confirm, Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { SecretDialog } from "../../parts/secret.js";
import type { Role } from "../../session.js";
import type { Listed } from "./listed.js";
import { say } from "./say.js";

const allRoles = ["administrator", "developer", "auditor", "operator"] as const;

interface NewAccountProps {
  readonly onClose: () => void;
  readonly onCreated: (email: string, link: string) => void;
}

/** Creates an account; its link is what comes next. */
export function NewAccount({ onClose, onCreated }: NewAccountProps) {
  const [roles, setRoles] = useState<readonly Role[]>([]);
  const create = async (given: FormData): Promise<string | null> => {
    const email = String(given.get("email"));
    const answer = await api.POST("/api/admin/accounts", { body: { email, roles: [...roles] } });
    if (answer.data !== undefined) onCreated(email, answer.data.link?.url ?? "");
    return faultIn(answer);
  };
  return (
    <Dialog title={say("new")} onClose={onClose}>
      <Form act={say("create")} onSend={create}>
        <Field label={say("email")} name="email" type="email" required autofocus />
        <Roles chosen={roles} onChoose={setRoles} />
      </Form>
    </Dialog>
  );
}

interface LinkProps {
  readonly email: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** The link with which a person chooses a password. */
export const LinkDialog = ({ email, link, onClose }: LinkProps) => (
  <SecretDialog title={say("linkTitle", { email })} label={say("linkLabel")} value={link} onClose={onClose}>
    <p>{say("linkWhat")}</p>
  </SecretDialog>
);

/** Gives and takes roles. */
export function EditRoles({ account, onClose }: { readonly account: Listed; readonly onClose: () => void }) {
  const { email } = account;
  const [roles, setRoles] = useState<readonly Role[]>(account.roles);
  const save = async (): Promise<string | null> => {
    const asked = { params: { path: { email } }, body: { roles: [...roles] } };
    const fault = faultIn(await api.PUT("/api/admin/accounts/{email}/roles", asked));
    if (fault === null) onClose();
    return fault;
  };
  return (
    <Dialog title={say("editTitle", { email })} onClose={onClose}>
      <Form act={say("save")} onSend={save}>
        <Roles chosen={roles} onChoose={setRoles} />
      </Form>
    </Dialog>
  );
}

interface RolesProps {
  readonly chosen: readonly Role[];
  readonly onChoose: (chosen: readonly Role[]) => void;
}

const Roles = (props: RolesProps) => (
  <Checks legend={say("roles")} of={allRoles.map((role) => [role, say(role)])} {...props} />
);

/** Asks before an account is disabled, and says what that ends. */
export const DisableAccount = ({ email, onClose }: { readonly email: string; readonly onClose: () => void }) => (
  <Confirm
    title={say("disableTitle", { email })}
    act={say("disable")}
    onConfirm={async () =>
      faultIn(await api.POST("/api/admin/accounts/{email}/disable", { params: { path: { email } } }))
    }
    onClose={onClose}
  >
    <p>{say("disableWhat")}</p>
  </Confirm>
);
