import type { IValidation } from "typia";
import { epochMilliseconds } from "../shared/instant.js";
import { failed, ok, type Result } from "../shared/result.js";
import { iconLength } from "./base64.js";
import { echo, issue, notAnObject, tooShort, valueError, type Issue } from "./issue.js";
import type { CreateApiKeyMessage, CreateServiceAccountMessage } from "./messages/credentialMessages.js";
import type { RegisterDatasourceMessage, SubMessage, UpdateDatasourceMessage } from "./messages/datasourceMessages.js";
import type { CheckAccessMessage } from "./messages/documentMessages.js";
import type {
  AddMembershipMessage,
  CreateGroupMessage,
  RegisterUserMessage,
  RenameGroupMessage,
  RenameUserMessage,
} from "./messages/principalMessages.js";
import type { DropVersionMessage, RebuildMessage } from "./messages/projectionMessages.js";
import type {
  DiscardParkedMessage,
  RetryParkedMessage,
  UndoMessage,
  VerifyMessage,
} from "./messages/verificationMessages.js";
import { toIssues } from "./typiaIssues.js";
import { validators } from "./validators.js";

export type Checked<Message> = Result<Message, readonly Issue[]>;

/** Rules beyond types, lengths and patterns. */
type Rules<Message> = (message: Message) => readonly Issue[];

const largestIconBytes = 256 * 1024;

/** Checks a parsed body by its type, and by rules beyond it. */
export function checker<Message>(
  validate: (input: unknown) => IValidation<Message>,
  rules?: Rules<Message>,
): (input: unknown) => Checked<Message> {
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return failed([notAnObject(["body"])]);
    const outcome = validate(input);
    if (!outcome.success) return failed(toIssues(outcome.errors, ["body"]));
    const broken = rules?.(outcome.data) ?? [];
    return broken.length === 0 ? ok(outcome.data) : failed(broken);
  };
}

/** Each checks a parsed body; the answer is the message, or everything that is wrong with it. */
export const checkRegisterDatasource: (input: unknown) => Checked<RegisterDatasourceMessage> = checker(
  validators.registerDatasource,
  iconIssues,
);
export const checkAddSub: (input: unknown) => Checked<SubMessage> = checker(validators.addSub);
export const checkRegisterUser: (input: unknown) => Checked<RegisterUserMessage> = checker(validators.registerUser);
export const checkRenameUser: (input: unknown) => Checked<RenameUserMessage> = checker(validators.renameUser);
export const checkCreateGroup: (input: unknown) => Checked<CreateGroupMessage> = checker(validators.createGroup);
export const checkRenameGroup: (input: unknown) => Checked<RenameGroupMessage> = checker(validators.renameGroup);
export const checkRebuild: (input: unknown) => Checked<RebuildMessage> = checker(validators.rebuild);
export const checkDropVersion: (input: unknown) => Checked<DropVersionMessage> = checker(validators.dropVersion);
export const checkVerify: (input: unknown) => Checked<VerifyMessage> = checker(validators.verify);
export const checkRetryParked: (input: unknown) => Checked<RetryParkedMessage> = checker(validators.retryParked);
export const checkDiscardParked: (input: unknown) => Checked<DiscardParkedMessage> = checker(validators.discardParked);
export const checkUndo: (input: unknown) => Checked<UndoMessage> = checker(validators.undo, ({ from, to }) =>
  BigInt(from) > BigInt(to) ? [valueError(["body", "to"], "the last position must not stand before the first")] : [],
);
export const checkCreateServiceAccount: (input: unknown) => Checked<CreateServiceAccountMessage> = checker(
  validators.createServiceAccount,
  ({ name, expires_at: expiry }) => [
    ...(name.trim() === "" ? [tooShort(["body", "name"], 1)] : []),
    ...expiryIssues(expiry),
  ],
);
export const checkCreateApiKey: (input: unknown) => Checked<CreateApiKeyMessage> = checker(
  validators.createApiKey,
  ({ expires_at: expiry }) => expiryIssues(expiry),
);
export const checkCheckAccess: (input: unknown) => Checked<CheckAccessMessage> = checker(
  validators.checkAccess,
  ({ user_email }) => (user_email.trim() === "" ? [tooShort(["body", "user_email"], 1)] : []),
);

export const checkUpdateDatasource: (input: unknown) => Checked<UpdateDatasourceMessage> = checker(
  validators.updateDatasource,
  (message) => [
    ...["name", "subs"]
      .filter((field) => field in message)
      .map((field) =>
        issue(["body", field], "extra_forbidden", `Extra inputs are not permitted: ${field} cannot be changed`),
      ),
    ...iconIssues(message),
  ],
);

export const checkAddMembership: (input: unknown) => Checked<AddMembershipMessage> = checker(
  validators.addMembership,
  ({ membership }) => {
    const given = [membership.member_email, membership.member_group_name].filter(
      (member) => member !== undefined && member !== null,
    );
    return given.length === 1
      ? []
      : [valueError(["body", "membership"], "exactly one of member_email and member_group_name must be given")];
  },
);

function expiryIssues(expiry: string | null | undefined): readonly Issue[] {
  if (expiry === undefined || expiry === null) return [];
  const time = epochMilliseconds(expiry);
  const loc = ["body", "expires_at"];
  if (time === null) return [{ ...valueError(loc, "it must be an ISO 8601 time"), ...echo(expiry) }];
  return time > Date.now() ? [] : [{ ...valueError(loc, "it must lie in the future"), ...echo(expiry) }];
}

function iconIssues({ icon_base64: icon }: { icon_base64?: string | null }): readonly Issue[] {
  if (icon === undefined || icon === null) return [];
  const bytes = iconLength(icon);
  if (bytes === undefined)
    return [valueError(["body", "icon_base64"], "the icon must be standard Base64 or a Base64 data URL")];
  return bytes <= largestIconBytes
    ? []
    : [valueError(["body", "icon_base64"], `the icon may have at most ${largestIconBytes} bytes, but has ${bytes}`)];
}
