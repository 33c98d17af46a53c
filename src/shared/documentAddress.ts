/** Addresses that run what they hold where they are opened, or mean something else on every machine. */
const unopenable: ReadonlySet<string> = new Set([
  ...["javascript:", "data:", "vbscript:", "file:", "blob:", "filesystem:", "about:", "view-source:"],
]);

interface Addressed {
  /** The id as search returns it. */
  readonly id: string;
  /** The path that its source gives; null or empty: it gives none. */
  readonly pathPreview: string | null;
}

/**
 * Where people open a document: where its source says, else at this service, of which `origin` is the address. Chat
 * programs make links of it, so that none is answered that would run in them, or open files of their machine.
 */
export function documentAddress(origin: string, { id, pathPreview }: Addressed): string {
  const said = pathPreview ?? "";
  if (said !== "" && !(URL.canParse(said) && unopenable.has(new URL(said).protocol))) return said;
  return `${origin}/documents/${encodeURIComponent(id)}`;
}
