import type { CredentialRecord } from "../../src/readModels/credentials.js";
import type { DatasourceLimit } from "../../src/shared/datasourceLimit.js";
import type { CredentialId } from "../../src/shared/ids.js";

/** What one event changes in the credentials. */
export type CredentialChange =
  | { readonly kind: "created"; readonly record: CredentialRecord }
  | { readonly kind: "bound"; readonly id: CredentialId; readonly datasources: readonly DatasourceLimit[] }
  /** Counts once; `at` is an ISO instant. */
  | { readonly kind: "revoked"; readonly id: CredentialId; readonly at: string }
  /** The whole record, whatever was known of it. */
  | { readonly kind: "restored"; readonly record: CredentialRecord }
  /** There is no such credential, as far as the log says. */
  | { readonly kind: "forgotten"; readonly id: CredentialId };
