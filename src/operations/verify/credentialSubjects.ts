import { match, P } from "ts-pattern";
import type { ApiKeyEvent, ServiceAccountEvent } from "../../events/credential.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import type { CredentialId } from "../../shared/ids.js";
import { readLog, type LogStretch } from "./readLog.js";
import { placeInSample } from "./share.js";
import type { ExpectedSubject, SubjectChoice } from "./expectedSubjects.js";

/** Every credential that ever was, and every one that is held; they are few. */
export async function credentialSubjects(
  stretch: Omit<LogStretch, "categories">,
  { part, seed, only }: SubjectChoice,
  held: readonly CredentialRecord[],
): Promise<readonly ExpectedSubject[]> {
  const records = new Map<CredentialId, CredentialRecord>();
  for await (const events of readLog({ ...stretch, categories: ["serviceAccount", "apiKey"] })) {
    for (const event of events as readonly RecordedEvent<ServiceAccountEvent | ApiKeyEvent>[]) follow(records, event);
  }
  const ids = new Set([...records.keys(), ...held.map(({ id }) => id)]);
  const chosen = [...ids].filter((id) => placeInSample(seed, id) < part && (only === null || only.has(id)));
  return chosen.map((id) => ({ kind: "credential", id, expected: records.get(id) ?? null }));
}

/** The first creation counts, and the first revocation after it. */
function follow(
  records: Map<CredentialId, CredentialRecord>,
  { event, metadata: { at } }: RecordedEvent<ServiceAccountEvent | ApiKeyEvent>,
): void {
  const known = records.get(event.data.id);
  const created = (record: CredentialRecord): void => {
    if (known === undefined) records.set(record.id, record);
  };
  match(event)
    .with({ type: "ServiceAccountCreated" }, ({ data }) =>
      created({ ...data, kind: "serviceAccount", createdAt: at, revokedAt: null, email: null, roles: [] }),
    )
    .with({ type: "ApiKeyCreated" }, ({ data }) =>
      created({ ...data, kind: "apiKey", createdAt: at, revokedAt: null, name: null, datasources: null }),
    )
    .with({ type: "ServiceAccountBound" }, ({ data: { id, datasources } }) => {
      if (known !== undefined) records.set(id, { ...known, datasources });
    })
    .with({ type: P.union("ServiceAccountRevoked", "ApiKeyRevoked") }, ({ data: { id } }) => {
      if (known?.revokedAt === null) records.set(id, { ...known, revokedAt: at });
    })
    .exhaustive();
}
