import type { Schemas } from "../../api/client.js";

/** A service account, as the list tells of it. */
export type Listed = Schemas["ServiceAccountsAnswer"]["service_accounts"][number];
