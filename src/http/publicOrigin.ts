import type { ApiContext } from "./apiContext.js";

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/**
 * The address under which people reach the service, without a slash at its end: as it is set, or as it was asked. Empty
 * where nobody can tell.
 */
export function publicOrigin({ services: { publicUrl }, protocol, host }: ApiContext): string {
  return publicUrl ?? (hostForm.test(host) ? `${protocol}://${host}` : "");
}
