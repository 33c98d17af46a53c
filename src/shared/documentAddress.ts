/** Addresses that run what they hold where they are opened. */
const runs: ReadonlySet<string> = new Set(["javascript:", "data:", "vbscript:"]);

interface Addressed {
  /** As search returns it. */
  readonly id: string;
  /** What its source says; null and empty: nothing. */
  readonly pathPreview: string | null;
}

/**
 * Where people open a document: where its source says, else at this service, of which `origin` is the address. Chat
 * programs make links of it, so that none is answered that would run in them.
 */
export function documentAddress(origin: string, { id, pathPreview }: Addressed): string {
  const said = pathPreview ?? "";
  if (said !== "" && !(URL.canParse(said) && runs.has(new URL(said).protocol))) return said;
  return `${origin}/documents/${encodeURIComponent(id)}`;
}
