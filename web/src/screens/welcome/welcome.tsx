import { useLocation } from "preact-iso";
import { Field, NewPassword } from "../../parts/field.js";
import { LoneCard } from "../../parts/loneCard.js";
import { redeemLink } from "../../session.js";
import { words } from "../../words.js";

const say = words({
  en: {
    title: "Choose a password",
    email: "E-mail",
    password: "Password",
    help: "12 characters at least. A few words that belong together only for you are good.",
    go: "Sign in",
    none: "This link is not whole. Open it as it was sent, or ask for a new one.",
  },
  de: {
    title: "Passwort wählen",
    email: "E-Mail",
    password: "Passwort",
    help: "Mindestens 12 Zeichen. Ein paar Wörter, die nur für Sie zusammengehören, sind gut.",
    go: "Anmelden",
    none: "Dieser Link ist nicht vollständig. Öffnen Sie ihn so, wie er kam, oder bitten Sie um einen neuen.",
  },
});

/** Where a one-time link leads: its secret is behind the `#`, so no server and no proxy writes it down. */
export function Welcome() {
  const { route } = useLocation();
  const link = new URLSearchParams(location.hash.slice(1));
  const secret = link.get("first") ?? link.get("secret");
  const redeem = async (given: FormData): Promise<string | null> => {
    const [email, password] = [String(given.get("email")), String(given.get("password"))];
    const fault = await redeemLink({ email, password, secret: secret ?? "" });
    if (fault === null) route("/search", true);
    return fault;
  };
  return (
    <LoneCard
      title={say("title")}
      act={say("go")}
      before={secret === null ? say("none") : null}
      isReady={secret !== null}
      onSend={redeem}
    >
      <Field
        label={say("email")}
        name="email"
        type="email"
        autocomplete="username"
        required
        defaultValue={link.get("email") ?? ""}
        readOnly={link.has("email")}
      />
      <NewPassword label={say("password")} name="password" help={say("help")} />
    </LoneCard>
  );
}
