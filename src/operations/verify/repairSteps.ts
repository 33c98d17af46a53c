import type { HistoryDrift } from "./history/comparison.js";
import type { Subject } from "./subjects.js";

/**
 * What is to be made afresh for a subject that is served otherwise than the log says, in the words of its projection:
 * the narrowest first. Where that does not help, the next step takes in more, up to the whole datasource.
 */
export const repairsOf = (subject: Subject): readonly (readonly string[])[] => [
  narrowest(subject),
  subject.kind === "person" ? subject.incarnations.map((id) => `groups ${id}`) : [],
  "incarnations" in subject ? subject.incarnations.map((id) => `datasource ${id}`) : [],
];

/** The same for a subject of the permission history. */
export function historyRepairs({
  subject,
  hasRegistration,
  registeredAs,
}: HistoryDrift): readonly (readonly string[])[] {
  if (subject.kind === "event") return [["events"]];
  if (subject.kind === "datasource") return [[`registrations ${subject.name}`], [], ["all datasources"]];
  const { datasourceId } = subject;
  const whole = [[`datasource ${datasourceId}`], ["all datasources"]];
  if (!hasRegistration && registeredAs !== null) return [[`registrations ${registeredAs}`], ...whole];
  if (subject.kind === "group") return [[`groups ${datasourceId}`], ...whole];
  return [
    [`${subject.kind} ${datasourceId}:${subject.kind === "person" ? subject.email : subject.documentId}`],
    ...whole,
  ];
}

function narrowest(subject: Subject): readonly string[] {
  switch (subject.kind) {
    case "document":
      return subject.incarnations.map((id) => `document ${id}:${subject.documentId}`);
    case "person":
      return subject.incarnations.map((id) => `person ${id}:${subject.email}`);
    case "datasource":
      return [`datasource-${subject.name}`];
    case "credential":
      return [`${subject.expected?.kind ?? "apiKey"}-${subject.id}`];
  }
}

/** Scopes of a step for all that drifted, each once, in portions that one event may name. */
export function portionsOf(
  drift: readonly { readonly repairs: readonly (readonly string[])[] }[],
  step: number,
): readonly (readonly string[])[] {
  const scopes = [...new Set(drift.flatMap(({ repairs }) => repairs[step] ?? []))];
  return Array.from({ length: Math.ceil(scopes.length / scopesPerRequest) }, (_, index) =>
    scopes.slice(index * scopesPerRequest, (index + 1) * scopesPerRequest),
  );
}

const scopesPerRequest = 500;

/** No subject has more. */
export const repairSteps = [0, 1, 2] as const;
