import { formatScope, type Scope } from "../../events/scope.js";
import { inGroups } from "../../shared/entriesAtMost.js";
import {
  accountStream,
  apiKeyStream,
  datasourceStream,
  serviceAccountStream,
  sessionStream,
} from "../../events/streams.js";
import type { HistoryDrift } from "./history/comparison.js";
import type { ExpectedSubject } from "./expectedSubjects.js";

/**
 * What is to be made afresh for a subject that is served otherwise than the log says: the narrowest first. Where that
 * does not help, the next step takes in more, up to the whole datasource.
 */
export const repairsOf = (subject: ExpectedSubject): readonly (readonly Scope[])[] => [
  narrowest(subject),
  subject.kind === "person" ? subject.incarnations.map((datasourceId) => ({ kind: "groups", datasourceId })) : [],
  "incarnations" in subject ? subject.incarnations.map((datasourceId) => ({ kind: "datasource", datasourceId })) : [],
];

/** The same for a subject of the permission history. */
export function historyRepairs({
  subject,
  hasRegistration,
  registeredAs,
}: HistoryDrift): readonly (readonly Scope[])[] {
  const everything: readonly Scope[] = [{ kind: "all datasources" }];
  if (subject.kind === "event") return [[{ kind: "events" }]];
  if (subject.kind === "datasource") return [[{ kind: "registrations", name: subject.name }], [], everything];
  const { datasourceId } = subject;
  const whole: readonly (readonly Scope[])[] = [[{ kind: "datasource", datasourceId }], everything];
  if (!hasRegistration && registeredAs !== null) return [[{ kind: "registrations", name: registeredAs }], ...whole];
  return [[subject.kind === "group" ? { kind: "groups", datasourceId } : subject], ...whole];
}

function narrowest(subject: ExpectedSubject): readonly Scope[] {
  switch (subject.kind) {
    case "document": {
      const { kind, documentId } = subject;
      return subject.incarnations.map((datasourceId) => ({ kind, datasourceId, documentId }));
    }
    case "person": {
      const { kind, email } = subject;
      return subject.incarnations.map((datasourceId) => ({ kind, datasourceId, email }));
    }
    case "group":
      return [{ kind: "groups", datasourceId: subject.held.datasourceId }];
    case "datasource":
      return [{ kind: "stream", stream: datasourceStream(subject.name) }];
    case "credential": {
      if (subject.of === "account") return [{ kind: "stream", stream: accountStream(subject.id) }];
      if (subject.of === "session") return [{ kind: "stream", stream: sessionStream(subject.id) }];
      const streamOf = subject.expected?.kind === "serviceAccount" ? serviceAccountStream : apiKeyStream;
      // Either stream says of a subject that the log does not name that there is none.
      return [{ kind: "stream", stream: streamOf(subject.id) }];
    }
  }
}

/** Scopes of a step for all that drifted, as they are stored, each once, in portions that one event may name. */
export function portionsOf(
  drift: readonly { readonly repairs: readonly (readonly Scope[])[] }[],
  step: number,
): readonly (readonly string[])[] {
  const scopes = [...new Set(drift.flatMap(({ repairs }) => repairs[step] ?? []).map(formatScope))];
  return inGroups(scopes, scopesPerRequest);
}

const scopesPerRequest = 500;

/** No subject has more. */
export const repairSteps = [0, 1, 2] as const;
