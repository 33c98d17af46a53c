import type { Drift } from "./differences.js";
import type { Subject } from "./subjects.js";

/**
 * What is to be made afresh for a subject that is served otherwise than the log says, in the words of its projection: the
 * narrowest first. Where that does not help, the next step takes in more, up to the whole datasource.
 */
export const repairSteps: readonly ((subject: Subject) => readonly string[])[] = [
  (subject) => narrowest(subject),
  (subject) => (subject.kind === "person" ? subject.generations.map((id) => `groups ${id}`) : []),
  (subject) => ("generations" in subject ? subject.generations.map((id) => `datasource ${id}`) : []),
];

function narrowest(subject: Subject): readonly string[] {
  switch (subject.kind) {
    case "document":
      return subject.generations.map((id) => `document ${id}:${subject.documentId}`);
    case "person":
      return subject.generations.map((id) => `person ${id}:${subject.email}`);
    case "datasource":
      return [`datasource-${subject.name}`];
    case "credential":
      return [`${subject.expected?.kind ?? "apiKey"}-${subject.id}`];
  }
}

/** Scopes of a step for all that drifted, each once, in portions that one event may name. */
export function portionsOf(drift: readonly Drift[], step: (subject: Subject) => readonly string[]): readonly (readonly string[])[] {
  const scopes = [...new Set(drift.flatMap(({ subject }) => step(subject)))];
  return Array.from({ length: Math.ceil(scopes.length / scopesPerRequest) }, (_, index) => scopes.slice(index * scopesPerRequest, (index + 1) * scopesPerRequest));
}

const scopesPerRequest = 500;
