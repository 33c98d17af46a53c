/** Where a document lies: what search and metadata say of it. */
interface Placed {
  readonly datasource: string;
  readonly data_source_sub: string | null;
  readonly data_source_sub_sub: string | null;
}

/** The datasource with its subs. */
export const placeOf = ({ datasource, data_source_sub: sub, data_source_sub_sub: child }: Placed): string =>
  [datasource, sub, child].filter((name) => name !== null).join(" › ");

/** The address where a document's original is; null: there is none that may be a link. */
export function webAddressOf(path: string | null): string | null {
  const address = path === null ? null : URL.parse(path);
  return address !== null && (address.protocol === "http:" || address.protocol === "https:") ? address.href : null;
}

/** The address of a document's page. */
export const pathOf = (id: string): string => `/documents/${encodeURIComponent(id)}`;
