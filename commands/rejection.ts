import type { UploadType } from "../src/events/file.js";
import type { PropertyType } from "../src/events/datasource.js";

/**
 * Why a command was refused: expected, nothing was written. One table in `src/http` turns each into status and body.
 */
export type Rejection =
  | { readonly type: "DatasourceExists"; readonly datasource: string }
  | { readonly type: "DatasourceNotFound"; readonly datasource: string }
  /** The service account is limited to other datasources. */
  | { readonly type: "DatasourceForbidden"; readonly datasource: string }
  | { readonly type: "SubExists"; readonly key: string; readonly parentKey: string | null }
  | { readonly type: "SubNotFound"; readonly key: string; readonly parentKey: string | null }
  | { readonly type: "SubParentNotFound"; readonly parentKey: string }
  /** A sub names another parent than the one that it is nested in. */
  | {
      readonly type: "SubParentContradicted";
      readonly parentKey: string;
      readonly nestedIn: string;
      readonly at: SubPath;
    }
  /** The key stands under several parents; `parent_key` has to say which. */
  | { readonly type: "SubAmbiguous"; readonly key: string; readonly parentKeys: readonly string[] }
  /** `field` is where a third level was asked for. */
  | {
      readonly type: "SubTooDeep";
      readonly parentKey: string;
      readonly at: SubPath;
      readonly field: "parent_key" | "subs";
    }
  /** A change of a datasource names other subs than there are. */
  | { readonly type: "SubsCannotChange"; readonly datasource: string }
  /** No key was given and none can be derived from the name. */
  | { readonly type: "SubKeyUnderivable"; readonly name: string; readonly at: SubPath }
  | { readonly type: "PropertyTypeConflict"; readonly property: string; readonly types: readonly PropertyType[] }
  | { readonly type: "EmailEmpty" }
  | { readonly type: "UserExists"; readonly datasource: string; readonly email: string }
  | { readonly type: "UserNotFound"; readonly datasource: string; readonly email: string }
  | { readonly type: "GroupNameInvalid"; readonly reason: string }
  | { readonly type: "GroupExists"; readonly datasource: string; readonly group: string }
  | { readonly type: "GroupNotFound"; readonly datasource: string; readonly group: string }
  | { readonly type: "MembershipExists"; readonly group: string; readonly member: string }
  | { readonly type: "MembershipNotFound"; readonly group: string; readonly member: string }
  /** Group names from the joined group round to itself: `a -> b -> a`. */
  | { readonly type: "MembershipCycle"; readonly path: readonly string[] }
  /** The spec's six codes of service-layer schema validation. */
  | { readonly type: "DocumentSchemaViolation"; readonly code: DocumentSchemaError; readonly message: string }
  /** The document is restricted, and the push was not to open it. */
  | { readonly type: "WouldWiden"; readonly documentId: string }
  /** The text of the document's file holds what nothing can keep. */
  | { readonly type: "FileUnstorable" }
  | { readonly type: "SyncRunNotFound"; readonly id: string }
  /** The run has ended: it takes no more documents and deletes none. */
  | { readonly type: "SyncRunOver"; readonly id: string; readonly because: SyncRunEnd }
  /** The run is not committed yet, so it has deleted nothing. */
  | { readonly type: "SyncRunOpen"; readonly id: string }
  /** The run belongs to another datasource than the document that was sent with it. */
  | { readonly type: "SyncRunOfOtherDatasource"; readonly id: string; readonly datasource: string }
  /** More documents were not seen than the run may delete without being confirmed. */
  | {
      readonly type: "SyncRunDeletesTooMuch";
      readonly missing: number;
      readonly documents: number;
      readonly maxDeletedShare: number;
    }
  /** The file does not exist, was erased, or belongs to somebody else. */
  | { readonly type: "FileNotFound"; readonly id: string }
  /** The reason is a sentence. */
  | { readonly type: "FileUnreadable"; readonly reason: string }
  /** A document that was to be an image, or the other way round. */
  | { readonly type: "FileOfOtherType"; readonly uploadType: UploadType; readonly found: string }
  | { readonly type: "AgentNotFound"; readonly id: string }
  | { readonly type: "CredentialNotFound"; readonly id: string }
  /** The credential is worthless for good, and gets no new secret. */
  | { readonly type: "CredentialRevoked"; readonly id: string }
  /** A text that is no email address could be mistaken for a credential's id or for the operator. */
  | { readonly type: "AccountEmailInvalid"; readonly email: string }
  | { readonly type: "AccountExists"; readonly email: string }
  | { readonly type: "AccountNotFound"; readonly email: string }
  | { readonly type: "AccountIsDisabled"; readonly email: string }
  /** Administrators cannot take their own role: another one has to. */
  | { readonly type: "OwnAdministratorRole" }
  /** Nobody disables the account that asks for it. */
  | { readonly type: "OwnAccountDisabled" }
  /** The link is unknown, used, replaced or too old. */
  | { readonly type: "AccountLinkInvalid" }
  /** What was given as the present password is not it. */
  | { readonly type: "PasswordWrong" }
  /** The reason is a sentence that says what to do. */
  | { readonly type: "PasswordRefused"; readonly reason: string }
  /** No such account, no password, disabled, or another password: nobody is told which. */
  | { readonly type: "SignInRefused" }
  | { readonly type: "ProjectionNotFound"; readonly projection: string }
  /** A reaction has no versions. */
  | { readonly type: "ProjectionIsReaction"; readonly projection: string }
  /** One version at a time is built or caught up. */
  | { readonly type: "RebuildUnderWay"; readonly projection: string; readonly version: number }
  | { readonly type: "NothingToAccept"; readonly projection: string }
  /** The version has not been compared, or it differs and was not accepted. */
  | { readonly type: "VersionNotReady"; readonly projection: string; readonly version: number }
  /** No earlier version is kept. */
  | { readonly type: "NoVersionKept"; readonly projection: string }
  | { readonly type: "VersionServed"; readonly projection: string; readonly version: number }
  /** Leaving the event out would let people keep what they have lost. */
  | { readonly type: "ParkedEventTakesAway"; readonly projection: string; readonly eventType: string }
  | { readonly type: "VersionNotFound"; readonly projection: string; readonly version: number }
  /** What would have to be recorded at once is more than the log takes at once. */
  | { readonly type: "TooLarge"; readonly bytes: number; readonly maxBytes: number }
  /** Other writers kept winning; safe to retry. */
  | { readonly type: "TooMuchContention"; readonly stream: string };

/** What has ended a sync run. */
export type SyncRunEnd = "committed" | "aborted" | "expired" | "datasourceDeleted";

/** Which of the declared subs: its index in `subs`, from the outside in. Empty for the one that a request is about. */
export type SubPath = readonly number[];

export type DocumentSchemaError =
  | "NO_PROPERTY_DEFINITIONS"
  | "UNKNOWN_PROPERTY"
  | "INVALID_PROPERTY_TYPE"
  | "INVALID_DATA_SOURCE_SUB"
  | "INVALID_DATA_SOURCE_SUB_SUB"
  | "AMBIGUOUS_DATA_SOURCE_SUB_SUB";
