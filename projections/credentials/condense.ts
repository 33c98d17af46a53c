import type { CredentialRecord } from "../../src/readModels/credentials.js";
import type { CredentialChange } from "./changes.js";

/**
 * One credential's whole record. Accounts and sessions are made afresh change by change, but for other sessions' ends:
 * those are no part of what is restored.
 */
export function condense(changes: readonly CredentialChange[]): readonly CredentialChange[] {
  const created = changes.find((change) => change.kind === "created");
  if (created?.kind !== "created") return changes.filter(({ kind }) => kind !== "sessionsOver");
  return [{ kind: "restored", record: changes.reduce(changed, created.record) }];
}

/** A credential after a change of its own. The first revocation counts. */
function changed(record: CredentialRecord, change: CredentialChange): CredentialRecord {
  switch (change.kind) {
    case "bound":
      return { ...record, datasources: change.datasources };
    case "rotated": {
      const { secretSha256, previousEndsAt: endsAt } = change;
      return { ...record, secretSha256, previousSecret: { sha256: record.secretSha256, endsAt } };
    }
    case "used":
      return { ...record, lastUsedAt: change.usedAt };
    case "revoked":
      return { ...record, revokedAt: record.revokedAt ?? change.at };
    default:
      return record;
  }
}
