/**
 * Whether an error says that a file of SQLite cannot be read any more: it is damaged, or something else. Of an error
 * that came from another thread its message may be all that is left.
 */
export function isDamage(error: unknown): boolean {
  const { code, message, cause } = (error ?? {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly cause?: unknown;
  };
  if (typeof code === "string" && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) return true;
  if (message === "database disk image is malformed" || message === "file is not a database") return true;
  return cause !== undefined && cause !== null && isDamage(cause);
}
