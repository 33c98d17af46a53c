import type { tags } from "typia";
import type { Role } from "../../shared/credential.js";
import type { EmailText } from "./documentMessages.js";
import type { MaxCharacters } from "./maxCharacters.js";
import type { Slug } from "./datasourceMessages.js";

/** An ISO 8601 time in the future. */
type ExpiryText = string & MaxCharacters<64>;

/** Body of `POST /api/admin/service-accounts`. */
export interface CreateServiceAccountMessage {
  /** What it is for; shown in lists. */
  name: string & tags.MinLength<1> & MaxCharacters<200>;
  /** The datasources that it is limited to. Default: all. */
  datasources?: Slug[] | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

/** Body of `POST /api/admin/api-keys`. */
export interface CreateApiKeyMessage {
  /** The login email of the person who searches with it. */
  email: EmailText;
  /** What it may do besides searching. Default: nothing. */
  roles?: Role[] | null;
  /** When it stops working. Default: never. */
  expires_at?: ExpiryText | null;
}

/** Answer of `POST /api/admin/service-accounts`. */
export interface CreatedServiceAccountAnswer {
  id: string;
  name: string;
  /** null: all. */
  datasources: string[] | null;
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  token: string;
}

/** Answer of `POST /api/admin/api-keys`. */
export interface CreatedApiKeyAnswer {
  id: string;
  email: string;
  roles: Role[];
  /** null: never. */
  expires_at: string | null;
  /** Shown this once, and stored nowhere. */
  key: string;
}

/** What lists tell of a credential of either kind, besides what only one kind has. */
interface ListedCredential {
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  state: "active" | "expired" | "revoked";
}

/** Answer of `GET /api/admin/service-accounts`: oldest first, revoked and expired ones too. */
export interface ServiceAccountsAnswer {
  service_accounts: ({ id: string; name: string | null; datasources: string[] | null } & ListedCredential)[];
}

/** Answer of `GET /api/admin/api-keys`: oldest first, revoked and expired ones too. */
export interface ApiKeysAnswer {
  api_keys: ({ id: string; email: string | null; roles: Role[] } & ListedCredential)[];
}

/** Answer of the routes that revoke a credential. */
export interface RevokedAnswer {
  id: string;
  revoked: true;
}
