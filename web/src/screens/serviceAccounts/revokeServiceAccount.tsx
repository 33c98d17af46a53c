import { api, faultIn } from "../../api/client.js";
import { Confirm } from "../../parts/dialog.js";
import { Instant } from "../../parts/instant.js";
import type { Listed } from "./listed.js";
import { say } from "./say.js";

/** Asks before a service account is revoked, and says what stops working then. */
export function RevokeServiceAccount({ account, onClose }: { readonly account: Listed; readonly onClose: () => void }) {
  const { id, name, datasources, last_used_at: lastUsedAt } = account;
  const revoke = async (): Promise<string | null> =>
    faultIn(await api.DELETE("/api/admin/service-accounts/{id}", { params: { path: { id } } }));
  return (
    <Confirm title={say("revokeTitle", { name: name ?? id })} act={say("revoke")} onConfirm={revoke} onClose={onClose}>
      <p>{say("revokeWhat", { datasources: datasources?.join(", ") ?? say("allDatasources") })}</p>
      <p>
        {lastUsedAt === null ? (
          say("revokeUnused")
        ) : (
          <>
            {say("revokeUsed")} <Instant at={lastUsedAt} />
          </>
        )}
      </p>
    </Confirm>
  );
}
