import { createValidate, type IValidation } from "typia";
import type { RegisterDatasourceMessage, SubMessage, UpdateDatasourceMessage } from "./messages/datasourceMessages.js";
import type { WhatIfMessage } from "./messages/auditMessages.js";
import type { CreateApiKeyMessage, CreateServiceAccountMessage } from "./messages/credentialMessages.js";
import type { CheckAccessMessage, IndexDocumentMessage, IndexDocumentsMessage } from "./messages/documentMessages.js";
import type { DropVersionMessage, RebuildMessage } from "./messages/projectionMessages.js";
import type {
  AddMembershipMessage,
  CreateGroupMessage,
  RegisterUserMessage,
  RenameGroupMessage,
  RenameUserMessage,
} from "./messages/principalMessages.js";
import type {
  DiscardParkedMessage,
  RetryParkedMessage,
  UndoMessage,
  VerifyMessage,
} from "./messages/verificationMessages.js";

type Validator<Message> = (input: unknown) => IValidation<Message>;

/**
 * Built at compile time from the message types; unknown keys pass and are ignored. An incremental build does not notice
 * that a type in another file has changed: `npm run clean` before the build that follows.
 */
export const validators = {
  registerDatasource: createValidate<RegisterDatasourceMessage>(),
  updateDatasource: createValidate<UpdateDatasourceMessage>(),
  addSub: createValidate<SubMessage>(),
  indexDocument: createValidate<IndexDocumentMessage>(),
  indexDocuments: createValidate<IndexDocumentsMessage>(),
  checkAccess: createValidate<CheckAccessMessage>(),
  registerUser: createValidate<RegisterUserMessage>(),
  renameUser: createValidate<RenameUserMessage>(),
  createGroup: createValidate<CreateGroupMessage>(),
  renameGroup: createValidate<RenameGroupMessage>(),
  addMembership: createValidate<AddMembershipMessage>(),
  rebuild: createValidate<RebuildMessage>(),
  dropVersion: createValidate<DropVersionMessage>(),
  verify: createValidate<VerifyMessage>(),
  retryParked: createValidate<RetryParkedMessage>(),
  discardParked: createValidate<DiscardParkedMessage>(),
  undo: createValidate<UndoMessage>(),
  createServiceAccount: createValidate<CreateServiceAccountMessage>(),
  createApiKey: createValidate<CreateApiKeyMessage>(),
  whatIf: createValidate<WhatIfMessage>(),
} satisfies Record<string, Validator<unknown>>;
