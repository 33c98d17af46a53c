import { createValidate, json, type tags } from "typia";
import type { AccountLink } from "../../../commands/commands.js";
import { toEmail } from "../../shared/ids.js";
import type { ApiContext } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { commandRoute, writtenBy } from "../../http/commandRoute.js";
import { refusal, valueOf } from "../../http/envelopes.js";
import { isOperatorOfThisProcess } from "../../http/operatorCredential.js";
import { publicOrigin, welcomeLink } from "../../http/publicAddresses.js";
import { RefusedRequest } from "../../http/refusedRequest.js";
import { route } from "../../http/route.js";
import { emailInPath } from "../../http/pathParameters.js";
import type { Role } from "../../shared/credential.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { EmailText } from "../../http/messages/names.js";

/** Body of `POST /api/admin/accounts`. */
interface CreateAccountMessage {
  /** The login email. */
  email: EmailText;
  /** Default: none, which is enough to search. */
  roles?: Role[] | null;
  /** For the command line alone: the person has one already. Default: the answer has a link with which they set one. */
  password?: (string & tags.MinLength<1> & MaxCharacters<1024>) | null;
}

const createAccountMessage = bodyMessage(json.schema<CreateAccountMessage>(), createValidate<CreateAccountMessage>());

/** Body of `PUT /api/admin/accounts/{email}/roles`. */
interface SetRolesMessage {
  /** All that the account is to have. */
  roles: Role[];
}

const setRolesMessage = bodyMessage(json.schema<SetRolesMessage>(), createValidate<SetRolesMessage>());

/** A link with which a password is set, once. */
export interface AccountLinkAnswer {
  /** Shown this once, and stored nowhere. What is secret of it is behind the `#`. */
  url: string;
  expires_at: string;
}

/** Answer of `POST /api/admin/accounts`. */
export interface CreatedAccountAnswer {
  email: string;
  roles: Role[];
  /** null: a password was given. */
  link: AccountLinkAnswer | null;
}

const createdAccountAnswer = answerMessage(json.schema<CreatedAccountAnswer>());

/** Answer of `POST /api/admin/accounts/{email}/link`. */
export interface IssuedLinkAnswer {
  email: string;
  link: AccountLinkAnswer;
}

const issuedLinkAnswer = answerMessage(json.schema<IssuedLinkAnswer>());

/** Answer of `PUT /api/admin/accounts/{email}/roles`. */
export interface AccountRolesAnswer {
  email: string;
  roles: Role[];
}

const accountRolesAnswer = answerMessage(json.schema<AccountRolesAnswer>());

/** Whether somebody can sign in with an account. */
type AccountStatus = "enabled" | "disabled";

/** Answer of the routes that disable and enable an account. */
export interface AccountStateAnswer {
  email: string;
  state: AccountStatus;
}

const accountStateAnswer = answerMessage(json.schema<AccountStateAnswer>());

interface ListedAccount {
  email: string;
  roles: Role[];
  state: AccountStatus;
  /** Whether it can sign in with a password. */
  has_password: boolean;
  created_at: string;
  /** The email of an administrator; `operator`: on the command line. */
  created_by: string;
  /** null: nobody has signed in with it. */
  last_sign_in_at: string | null;
}

/** Answer of `GET /api/admin/accounts`: by email. */
export interface AccountsAnswer {
  accounts: ListedAccount[];
}

const accountsAnswer = answerMessage(json.schema<AccountsAnswer>());

const tag = "Accounts";
const access = "administrator";
const params = [emailInPath];
const noSuch = { 404: "There is no account for this email." };
const email = "grace@example.org";
const link: AccountLinkAnswer = {
  url: "https://search.example.org/welcome#email=grace%40example.org&secret=…",
  expires_at: "2026-01-12T10:00:00.000Z",
};

const toLinkAnswer = (context: ApiContext, of: string, { secret, expiresAt }: AccountLink): AccountLinkAnswer => ({
  url: welcomeLink(publicOrigin(context), { email: of, secret }),
  expires_at: expiresAt,
});

const listAccounts = route({
  method: "GET",
  path: "/api/admin/accounts",
  access,
  isConsistent: true,
  async handle(context) {
    const { queries } = context.services;
    const accounts = valueOf(await queries.listAccounts({ atLeast: context.state.atLeast }));
    context.body = {
      accounts: accounts.map((account) => ({
        email: account.email,
        roles: [...account.roles],
        state: account.disabledAt === null ? "enabled" : "disabled",
        has_password: account.hasPassword,
        created_at: account.createdAt,
        created_by: account.createdBy,
        last_sign_in_at: account.lastSignInAt,
      })),
    } satisfies AccountsAnswer;
  },
  description: {
    tag,
    summary: "List accounts",
    doing: "Listing accounts",
    success: {
      description: "Everybody who has one, by email; disabled ones too.",
      schema: accountsAnswer,
      example: {
        accounts: [
          {
            ...{ email, roles: ["auditor"], state: "enabled", has_password: true },
            ...{
              created_at: "2026-01-12T09:00:00.000Z",
              created_by: "operator",
              last_sign_in_at: "2026-01-12T09:30:00.000Z",
            },
          },
        ],
      } satisfies AccountsAnswer,
    },
  },
});

const createAccount = route({
  method: "POST",
  path: "/api/admin/accounts",
  access,
  body: jsonBody(createAccountMessage),
  async handle(context, { body: { email: given, roles, password = null } }) {
    const isOperator = isOperatorOfThisProcess(context);
    if (password !== null && !isOperator)
      throw new RefusedRequest(
        refusal(403, "Nobody sets a password for somebody else. Leave it out, and send the person the link."),
      );
    const asked = { email: toEmail(given), roles: roles ?? [], password };
    const origin = isOperator ? "operator" : "administrator";
    const created = await writtenBy(context, (commands, by) => commands.createAccount({ ...asked, origin }, by));
    context.body = {
      email: created.email,
      roles: [...new Set(asked.roles)].sort(),
      link: created.link === null ? null : toLinkAnswer(context, created.email, created.link),
    } satisfies CreatedAccountAnswer;
  },
  description: {
    tag,
    summary: "Create an account",
    doing: "Creating accounts",
    description: "The person sets a password with the link, within an hour, and is signed in then.",
    example: { email, roles: ["auditor"] },
    success: {
      description: "Created.",
      schema: createdAccountAnswer,
      example: { email, roles: ["auditor"], link } satisfies CreatedAccountAnswer,
      carriesToken: true,
    },
    failures: { 400: "The email is empty.", 409: "There is an account for this email already." },
  },
});

const setRoles = commandRoute({
  method: "PUT",
  path: "/api/admin/accounts/{email}/roles",
  access,
  params,
  body: jsonBody(setRolesMessage),
  toCommand: ({ params: { email: of }, body: { roles } }) => ({ email: toEmail(of), roles }),
  run: (command, context, commands) => commands.setRoles(command, context),
  toAnswer: (roles, { email: of }): AccountRolesAnswer => ({ email: of, roles: [...roles] }),
  description: {
    tag,
    summary: "Say which roles an account has",
    doing: "Giving and taking roles",
    description: "All of them: what is left out is taken, which ends the person's sessions.",
    example: { roles: ["auditor", "operator"] },
    success: {
      description: "It has these, and no others.",
      schema: accountRolesAnswer,
      example: { email, roles: ["auditor", "operator"] } satisfies AccountRolesAnswer,
    },
    failures: { ...noSuch, 409: "It is one's own role of administrator that would be taken." },
  },
});

const issueLink = route({
  method: "POST",
  path: "/api/admin/accounts/{email}/link",
  access,
  params,
  async handle(context, { params: { email: given } }) {
    const of = toEmail(given);
    const issued = await writtenBy(context, (commands, by) => commands.issueAccountLink({ email: of }, by));
    context.body = { email: of, link: toLinkAnswer(context, of, issued) } satisfies IssuedLinkAnswer;
  },
  description: {
    tag,
    summary: "Issue a link that sets a password",
    doing: "Issuing links",
    description: "For whoever has none, or has forgotten it. An earlier link is worth nothing from then on.",
    success: {
      description: "Good once, for an hour.",
      schema: issuedLinkAnswer,
      example: { email, link } satisfies IssuedLinkAnswer,
      carriesToken: true,
    },
    failures: noSuch,
  },
});

const disableAccount = commandRoute({
  method: "POST",
  path: "/api/admin/accounts/{email}/disable",
  access,
  params,
  toCommand: ({ params: { email: of } }) => ({ email: toEmail(of) }),
  run: (command, context, commands) => commands.disableAccount(command, context),
  toAnswer: (_value, { email: of }): AccountStateAnswer => ({ email: of, state: "disabled" }),
  description: {
    tag,
    summary: "Disable an account",
    doing: "Disabling accounts",
    description:
      "The person's sessions end, nobody can sign in with it, and keys that the person has made rest. Keys that others have made for the person are revoked one by one.",
    success: {
      description: "It is. Repeating it is no error.",
      schema: accountStateAnswer,
      example: { email, state: "disabled" } satisfies AccountStateAnswer,
    },
    failures: { ...noSuch, 409: "It is one's own." },
  },
});

const enableAccount = commandRoute({
  method: "POST",
  path: "/api/admin/accounts/{email}/enable",
  access,
  params,
  toCommand: ({ params: { email: of } }) => ({ email: toEmail(of) }),
  run: (command, context, commands) => commands.enableAccount(command, context),
  toAnswer: (_value, { email: of }): AccountStateAnswer => ({ email: of, state: "enabled" }),
  description: {
    tag,
    summary: "Enable an account",
    doing: "Enabling accounts",
    description: "The person can sign in again, with the roles and the password of before.",
    success: {
      description: "It is. Repeating it is no error.",
      schema: accountStateAnswer,
      example: { email, state: "enabled" } satisfies AccountStateAnswer,
    },
    failures: noSuch,
  },
});

/** The routes of accounts: the people who may sign in. */
export const accountRoutes = [listAccounts, createAccount, setRoles, issueLink, disableAccount, enableAccount];
