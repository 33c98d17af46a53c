import { json } from "typia";
import type { Role } from "../../shared/credential.js";
import { answerMessage } from "../../http/validation/message.js";
import type { ListedCredential } from "./listedCredential.js";

export interface ListedApiKey extends ListedCredential {
  id: string;
  email: string | null;
  roles: Role[];
}

/** Answer of `GET /api/admin/api-keys`: oldest first, revoked and expired ones too. */
export interface ApiKeysAnswer {
  api_keys: ListedApiKey[];
}

export const apiKeysAnswer = answerMessage(json.schema<ApiKeysAnswer>());
