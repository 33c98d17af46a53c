/** How long a `Retry-After` asks to wait, in milliseconds: seconds or a date; null where it says neither. */
export function retryAfterMs(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
