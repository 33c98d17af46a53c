const withoutZone = /T[^Zz+-]*$/;

/** Epoch milliseconds of an ISO 8601 instant, UTC where it names no zone; null where it is not one. */
export function epochMilliseconds(instant: string): number | null {
  const milliseconds = Date.parse(withoutZone.test(instant) ? `${instant}Z` : instant);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}
