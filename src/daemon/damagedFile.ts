/**
 * What an operator has to do where SQLite says that a file of the read models cannot be read any more; null: it is
 * something else.
 */
export function remedyFor(error: unknown): string | null {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  const isDamaged = [code, cause?.code].some(
    (found) => typeof found === "string" && /^SQLITE_(CORRUPT|NOTADB)/.test(found),
  );
  return isDamaged
    ? "A file of the read models is damaged. Stop the service, delete every .sqlite file from DATA_DIR but log.sqlite, and start again: they are rebuilt from the log."
    : null;
}
