import type { Schemas } from "../../api/client.js";

/** An account, as the list tells of it. */
export type Listed = Schemas["AccountsAnswer"]["accounts"][number];
