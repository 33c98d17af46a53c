import { match } from "ts-pattern";
import type { AccountEvent, AccountLinkIssued } from "../../src/events/account.js";
import type { Role } from "../../src/shared/credential.js";
import type { Aggregate } from "../aggregate.js";
import type { Email } from "../../src/shared/ids.js";
import type { CommandServices } from "../services.js";

/** A link with which a password may be set, as it is written down. */
export type Link = Pick<AccountLinkIssued["data"], "secretSha256" | "expiresAt">;

export interface AccountState {
  readonly status: "absent" | "enabled" | "disabled";
  readonly roles: readonly Role[];
  readonly passwordHash: string | null;
  /** With which the password may be set, once. */
  readonly link: Link | null;
}

export const initialState = (): AccountState => ({ status: "absent", roles: [], passwordHash: null, link: null });

/** Roles as they are written down: distinct, in one order. */
export const normalizedRoles = (roles: readonly Role[]): readonly Role[] => [...new Set(roles)].sort();

/** A password that is set uses up the link. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  return match(event)
    .returnType<AccountState>()
    .with({ type: "AccountCreated" }, ({ data: { roles } }) => ({ ...state, status: "enabled", roles }))
    .with({ type: "AccountRoleGiven" }, ({ data: { role } }) => ({
      ...state,
      roles: normalizedRoles([...state.roles, role]),
    }))
    .with({ type: "AccountRoleTaken" }, ({ data: { role } }) => ({
      ...state,
      roles: state.roles.filter((other) => other !== role),
    }))
    .with({ type: "AccountPasswordSet" }, ({ data: { passwordHash } }) => ({ ...state, passwordHash, link: null }))
    .with({ type: "AccountLinkIssued" }, ({ data: { secretSha256, expiresAt } }) => ({
      ...state,
      link: { secretSha256, expiresAt },
    }))
    .with({ type: "AccountSessionsEnded" }, () => state)
    .with({ type: "AccountDisabled" }, () => ({ ...state, status: "disabled", link: null }))
    .with({ type: "AccountEnabled" }, () => ({ ...state, status: "enabled" }))
    .exhaustive();
}

export const accountAggregate: Aggregate<AccountState, AccountEvent> = { initialState, evolve, cacheCost: () => 5 };

const fewest = 12;
const most = 256;

/** One way of writing of all that look alike: what is typed on one keyboard is the same on another. */
export const normalizedPassword = (password: string): string => password.normalize("NFC");

/** Why somebody may not have this password, as a sentence that says what to do; null: they may. */
export async function passwordFault(
  { isEasyToGuess, productName }: Pick<CommandServices, "isEasyToGuess" | "productName">,
  password: string,
  email: Email,
): Promise<string | null> {
  const { length } = [...normalizedPassword(password)];
  if (length < fewest)
    return `The password has ${length} of at least ${fewest} characters. Take a longer one: four or five words that do not belong together are easy to remember.`;
  if (length > most) return `The password has ${length} characters, and ${most} are taken at most. Take a shorter one.`;
  const known = [...wordsOf(email), productName];
  return (await isEasyToGuess(normalizedPassword(password), known))
    ? "The password is easy to guess: it is a common one, repeats itself, or is made of your e-mail. Take four or five words that do not belong together."
    : null;
}

const separators = /[^\p{L}\p{N}]+/u;

/** The email, its parts, and what is before the `@` in one word. */
function wordsOf(email: Email): readonly string[] {
  const [person = ""] = email.split("@");
  const words = [email, ...email.split(separators), person.split(separators).join("")];
  return words.filter((word) => word !== "");
}

/** Why somebody may set an account's password. */
export type PasswordProof =
  | { readonly kind: "link"; readonly secretSha256: string; readonly now: Date }
  /** The hash that the present password was found right against. */
  | { readonly kind: "current"; readonly passwordHash: string };

/** Why a password may not be set; null: it may. A link that is unknown, used, replaced or too old is the same. */
export function refusalOf(
  proof: PasswordProof,
  { status, link, passwordHash }: AccountState,
): "AccountLinkInvalid" | "PasswordWrong" | null {
  if (proof.kind === "current")
    return status === "enabled" && passwordHash === proof.passwordHash ? null : "PasswordWrong";
  const isGood =
    status === "enabled" &&
    link !== null &&
    link.secretSha256 === proof.secretSha256 &&
    proof.now.getTime() < Date.parse(link.expiresAt);
  return isGood ? null : "AccountLinkInvalid";
}
