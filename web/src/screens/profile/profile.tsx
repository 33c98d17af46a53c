import { useState } from "preact/hooks";
import { Field, NewPassword } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Page } from "../../parts/page.js";
import { changePassword, session, signOut } from "../../session.js";
import { words } from "../../words.js";

const say = words({
  en: {
    title: "Password and sessions",
    current: "Current password",
    next: "New password",
    help: "12 characters at least. Other sessions of yours end.",
    change: "Change password",
    changed: "The password is changed. Other sessions of yours have ended.",
    sessions: "Sessions",
    everywhere: "Sign out everywhere",
    everywhereWhat: "Ends every session of yours, on this device and on all others.",
    roles: "Your roles: {roles}",
    noRoles: "Your account has no roles: you search and ask.",
  },
  de: {
    title: "Passwort und Sitzungen",
    current: "Bisheriges Passwort",
    next: "Neues Passwort",
    help: "Mindestens 12 Zeichen. Ihre anderen Sitzungen enden.",
    change: "Passwort ändern",
    changed: "Das Passwort ist geändert. Ihre anderen Sitzungen sind beendet.",
    sessions: "Sitzungen",
    everywhere: "Überall abmelden",
    everywhereWhat: "Beendet alle Ihre Sitzungen, auf diesem Gerät und auf allen anderen.",
    roles: "Ihre Rollen: {roles}",
    noRoles: "Ihr Konto hat keine Rollen: Sie suchen und fragen.",
  },
});

/** One's own password and sessions. */
export function Profile() {
  const [isChanged, setChanged] = useState(false);
  const roles = session.value?.roles ?? [];
  const change = async (given: FormData): Promise<string | null> => {
    const failure = await changePassword(String(given.get("current")), String(given.get("new")));
    setChanged(failure === null);
    return failure;
  };
  return (
    <Page title={say("title")}>
      <p>
        <strong>{session.value?.email}</strong>
        <br />
        {roles.length === 0 ? say("noRoles") : say("roles", { roles: roles.join(", ") })}
      </p>
      <section class="card narrow">
        <Form act={say("change")} onSend={change}>
          {isChanged && (
            <p class="notice" role="status">
              {say("changed")}
            </p>
          )}
          <input type="hidden" name="email" autocomplete="username" value={session.value?.email} />
          <Field label={say("current")} name="current" type="password" autocomplete="current-password" required />
          <NewPassword label={say("next")} name="new" help={say("help")} />
        </Form>
      </section>
      <section class="card stack narrow">
        <h2>{say("sessions")}</h2>
        <p>{say("everywhereWhat")}</p>
        <div class="actions">
          <button type="button" class="danger" onClick={() => void signOut("everywhere")}>
            {say("everywhere")}
          </button>
        </div>
      </section>
    </Page>
  );
}
