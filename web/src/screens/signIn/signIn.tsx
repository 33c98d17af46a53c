import { Field } from "../../parts/field.js";
import { LoneCard } from "../../parts/loneCard.js";
import { options, signIn } from "../../session.js";
import { words } from "../../words.js";

const say = words({
  en: {
    title: "Sign in",
    email: "E-mail",
    password: "Password",
    signIn: "Sign in",
    or: "Sign in with your organization's account",
    provider_unavailable: "Your organization's sign-in cannot be reached. Try again in a while.",
    provider_refused: "Your organization's sign-in has refused. Try again, or ask whoever looks after it.",
    attempt_expired: "That sign-in took too long or was used already. Begin again.",
    email_not_verified:
      "Your organization has not verified your e-mail address, so nobody can be sure that it is yours.",
    account_disabled: "Your account here is disabled. Ask an administrator.",
    first: "Nobody has an account yet. The service's log holds a link for the first administrator.",
  },
  de: {
    title: "Anmelden",
    email: "E-Mail",
    password: "Passwort",
    signIn: "Anmelden",
    or: "Mit dem Konto Ihrer Organisation anmelden",
    provider_unavailable: "Die Anmeldung Ihrer Organisation ist nicht erreichbar. Versuchen Sie es später noch einmal.",
    provider_refused:
      "Die Anmeldung Ihrer Organisation hat abgelehnt. Versuchen Sie es noch einmal, oder fragen Sie dort.",
    attempt_expired: "Diese Anmeldung hat zu lange gedauert oder ist schon benutzt. Beginnen Sie von vorn.",
    email_not_verified:
      "Ihre Organisation hat Ihre E-Mail-Adresse nicht bestätigt; so kann niemand sicher sein, dass sie Ihre ist.",
    account_disabled: "Ihr Konto ist hier gesperrt. Fragen Sie eine Verwalterin.",
    first: "Noch hat niemand ein Konto. Im Protokoll des Dienstes steht ein Link für die erste Verwalterin.",
  },
});

/** Where somebody who is not signed in signs in, at whatever address: it goes on there. */
export const SignIn = () => (
  <LoneCard
    title={say("title")}
    act={say("signIn")}
    before={faultOfAddress()}
    onSend={(given) => signIn(String(given.get("email")), String(given.get("password")))}
    other={
      options.value?.identity_provider === true && (
        <a class="button" href={`/api/session/identity-provider?return_to=${encodeURIComponent(here())}`}>
          {say("or")}
        </a>
      )
    }
  >
    {options.value?.needs_first_account === true && <p class="notice">{say("first")}</p>}
    <Field label={say("email")} name="email" type="email" autocomplete="username" required autofocus />
    <Field label={say("password")} name="password" type="password" autocomplete="current-password" required />
  </LoneCard>
);

/** Where to go on, without what an earlier sign-in has left in the address. */
function here(): string {
  const address = new URL(location.href);
  address.searchParams.delete("sign_in_fault");
  return address.pathname + address.search;
}

const faults = [
  "provider_unavailable",
  "provider_refused",
  "attempt_expired",
  "email_not_verified",
  "account_disabled",
] as const;

/** What a sign-in at an identity provider ended with, if that brought the person here. */
function faultOfAddress(): string | null {
  const word = new URLSearchParams(location.search).get("sign_in_fault");
  const fault = faults.find((known) => known === word);
  return fault === undefined ? null : say(fault);
}
