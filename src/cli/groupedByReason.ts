/** Something that came to nothing, and why, in a sentence. */
export interface ReasonedEntry {
  readonly name: string;
  readonly reason: string;
}

/** Lines that tell each reason once: how often it is given, the most frequent first, and for what. */
export function groupedByReason(entries: readonly ReasonedEntry[], mostNamed: number): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, reason } of entries) {
    const names = groups.get(reason);
    if (names === undefined) groups.set(reason, [name]);
    else names.push(name);
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, names]) => [
      `${names.length} × ${reason}`,
      ...names.slice(0, mostNamed).map((name) => `  ${name}`),
      ...(names.length > mostNamed ? [`  … and ${names.length - mostNamed} more (--json lists all)`] : []),
    ]);
}
