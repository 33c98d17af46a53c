import type { ApiContext } from "./apiContext.js";

/** The address under which people reach the service, without a slash at its end: as it is set, or as it was asked. */
export const publicOrigin = ({ services, protocol, host }: ApiContext): string =>
  services.publicUrl ?? `${protocol}://${host}`;
