import { match } from "ts-pattern";
import type { CredentialReader } from "../../../queries/ports.js";
import type { ApiKeyEvent, ServiceAccountEvent } from "../../events/credential.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import type { CredentialRecord } from "../../readModels/credentials.js";
import type { CredentialId } from "../../shared/ids.js";
import { FoldedAccounts, type AccountOrSessionEvent } from "./foldedAccounts.js";
import { readLog, type LogStretch } from "./readLog.js";
import { placeInSample } from "./share.js";
import { keyOf, type ExpectedSubject, type SubjectChoice } from "./expectedSubjects.js";

type CredentialEvent = ServiceAccountEvent | ApiKeyEvent;

/** Every credential, account and session that ever was, and every one that is held; they are few. */
export async function credentialSubjects(
  stretch: Omit<LogStretch, "categories">,
  { part, seed, only }: SubjectChoice,
  held: CredentialReader,
): Promise<readonly ExpectedSubject[]> {
  const records = new Map<CredentialId, CredentialRecord>();
  for await (const events of readLog({ ...stretch, categories: ["serviceAccount", "apiKey"] })) {
    for (const event of events as readonly RecordedEvent<CredentialEvent>[]) follow(records, event);
  }
  const people = new FoldedAccounts();
  for await (const events of readLog({ ...stretch, categories: ["account", "session"] })) {
    for (const event of events as readonly RecordedEvent<AccountOrSessionEvent>[]) people.follow(event);
  }
  const ids = new Set([...records.keys(), ...(await held.list()).map(({ id }) => id)]);
  const subjects: readonly ExpectedSubject[] = [
    ...[...ids].map((id) => ({ kind: "credential", of: "key", id, expected: records.get(id) ?? null }) as const),
    ...people.subjects(await held.accounts(), await held.sessions()),
  ];
  return subjects.filter((subject) => {
    const key = keyOf(subject);
    return placeInSample(seed, key) < part && (only === null || only.has(key));
  });
}

/** The first creation counts, and the first revocation after it. */
function follow(
  records: Map<CredentialId, CredentialRecord>,
  { event, metadata: { at, by } }: RecordedEvent<CredentialEvent>,
): void {
  const { id } = event.data;
  const known = records.get(id);
  const begun = { createdAt: at, createdBy: by, revokedAt: null, lastUsedAt: null, previousSecret: null };
  const next = match(event)
    .returnType<CredentialRecord | undefined>()
    .with(
      { type: "ServiceAccountCreated" },
      ({ data }) => known ?? { ...data, ...begun, kind: "serviceAccount", email: null, roles: [] },
    )
    .with(
      { type: "ApiKeyCreated" },
      ({ data }) => known ?? { ...data, ...begun, kind: "apiKey", name: null, datasources: null },
    )
    .with({ type: "ServiceAccountBound" }, ({ data: { datasources } }) => known && { ...known, datasources })
    .with({ type: "ServiceAccountRotated" }, ({ data: { secretSha256, previousEndsAt: endsAt } }) => {
      if (known === undefined || known.secretSha256 === secretSha256) return known;
      return { ...known, secretSha256, previousSecret: { sha256: known.secretSha256, endsAt } };
    })
    .with(
      { type: "ServiceAccountUsed" },
      { type: "ApiKeyUsed" },
      ({ data: { usedAt } }) => known && { ...known, lastUsedAt: usedAt },
    )
    .with(
      { type: "ServiceAccountRevoked" },
      { type: "ApiKeyRevoked" },
      () => known && { ...known, revokedAt: known.revokedAt ?? at },
    )
    .exhaustive();
  if (next !== undefined) records.set(id, next);
}
