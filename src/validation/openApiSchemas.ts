import { json } from "typia";
import type { UndoAnswer } from "../operations/undo/undo.js";
import type { ParkedAnswer, VerificationAnswer } from "../operations/verify/verification.js";
import type {
  DiscardParkedMessage,
  RetryParkedMessage,
  UndoMessage,
  VerifyMessage,
} from "./messages/verificationMessages.js";
import type { PublicKeyAnswer } from "../audit/export/auditExport.js";
import type { AccessAnswer, WhatIfAnswer } from "../audit/auditQueries.js";
import type { TimelineAnswer, VisibilityAnswer, WhatAnswer, WhoAnswer } from "../audit/historyQuestions.js";
import type { ProjectionsAnswer } from "../readModels/projectionStatus.js";
import type { DropVersionMessage, RebuildMessage } from "./messages/projectionMessages.js";
import type { WhatIfMessage } from "./messages/auditMessages.js";
import type {
  ApiKeysAnswer,
  CreateApiKeyMessage,
  CreatedApiKeyAnswer,
  CreatedServiceAccountAnswer,
  CreateServiceAccountMessage,
  RevokedAnswer,
  ServiceAccountsAnswer,
} from "./messages/credentialMessages.js";
import type {
  DatasourceAnswer,
  RegisterDatasourceMessage,
  SubAnswer,
  SubMessage,
  UpdateDatasourceMessage,
} from "./messages/datasourceMessages.js";
import type {
  CheckAccessAnswer,
  CheckAccessMessage,
  DocumentIndexAnswer,
  IndexDocumentMessage,
  IndexDocumentsMessage,
} from "./messages/documentMessages.js";
import type {
  AddMembershipMessage,
  CreateGroupMessage,
  DoneAnswer,
  GroupAnswer,
  MembershipAnswer,
  RegisterUserMessage,
  RenameGroupMessage,
  RenameUserMessage,
  UserAnswer,
} from "./messages/principalMessages.js";
import type {
  DocumentMetadataAnswer,
  ErrorAnswer,
  HealthAnswer,
  SchemaErrorAnswer,
  SearchAnswer,
  ValidationErrorAnswer,
} from "./messages/queryMessages.js";

const collection = json.schemas<
  [
    RegisterDatasourceMessage,
    UpdateDatasourceMessage,
    SubMessage,
    IndexDocumentMessage,
    IndexDocumentsMessage,
    CheckAccessMessage,
    RegisterUserMessage,
    RenameUserMessage,
    CreateGroupMessage,
    RenameGroupMessage,
    AddMembershipMessage,
    WhatIfMessage,
    WhatIfAnswer,
    DatasourceAnswer,
    SubAnswer,
    DocumentIndexAnswer,
    CheckAccessAnswer,
    DoneAnswer,
    UserAnswer,
    GroupAnswer,
    MembershipAnswer,
    SearchAnswer,
    DocumentMetadataAnswer,
    AccessAnswer,
    PublicKeyAnswer,
    WhoAnswer,
    WhatAnswer,
    TimelineAnswer,
    VisibilityAnswer,
    RebuildMessage,
    DropVersionMessage,
    ProjectionsAnswer,
    VerifyMessage,
    RetryParkedMessage,
    DiscardParkedMessage,
    UndoMessage,
    VerificationAnswer,
    ParkedAnswer,
    UndoAnswer,
    CreateServiceAccountMessage,
    CreatedServiceAccountAnswer,
    ServiceAccountsAnswer,
    CreateApiKeyMessage,
    CreatedApiKeyAnswer,
    ApiKeysAnswer,
    RevokedAnswer,
    ErrorAnswer,
    ValidationErrorAnswer,
    SchemaErrorAnswer,
    HealthAnswer,
  ],
  "3.1"
>();

/** JSON schemas of every message, by the name of its type: the very types that validate. */
export const openApiSchemas: Readonly<Record<string, object>> = collection.components.schemas ?? {};
