/** A host that operators allow the crawler to read wherever it lies. */
export interface AllowedHost {
  readonly host: string;
  /** null: 80 and 443. */
  readonly port: number | null;
}

const portsOfTheWeb: ReadonlySet<number> = new Set([80, 443]);

/** What the crawler may ask besides public addresses at the ports of the web. */
export class AllowedHosts {
  constructor(
    private readonly hosts: readonly AllowedHost[],
    /** The ports at which any host may be asked. */
    private readonly ports: ReadonlySet<number> = portsOfTheWeb,
  ) {}

  /** Whether a host may be asked at a port, if it is at an address that may be connected to. */
  mayAsk(hostname: string, port: number): boolean {
    return this.ports.has(port) || this.isNamed(hostname, port);
  }

  /** Whether a host may be connected to wherever it is. */
  isNamed(hostname: string, port: number): boolean {
    return this.hosts.some(
      (allowed) =>
        allowed.host === hostname &&
        (allowed.port ?? port) === port &&
        (allowed.port !== null || portsOfTheWeb.has(port)),
    );
  }
}
