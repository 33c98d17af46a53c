import { json } from "typia";
import { answerMessage } from "../../http/validation/message.js";
import type { ListedCredential } from "./listedCredential.js";

export interface ListedServiceAccount extends ListedCredential {
  id: string;
  name: string | null;
  /** null: all. */
  datasources: string[] | null;
  /** Those of them that were deleted: nothing is open by these names, also where another datasource has one by now. */
  datasources_gone: string[];
  /** Until then the token before the last rotation works too; null: it does not. */
  previous_token_ends_at: string | null;
}

/** Answer of `GET /api/admin/service-accounts`: oldest first, revoked and expired ones too. */
export interface ServiceAccountsAnswer {
  service_accounts: ListedServiceAccount[];
}

export const serviceAccountsAnswer = answerMessage(json.schema<ServiceAccountsAnswer>());
