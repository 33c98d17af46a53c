import type { DatasourceAccess, GroupClosureBatch } from "../../../../projections/groupClosure/ports.js";
import type { PrincipalToken } from "../../../shared/ids.js";

/** How access to a datasource is answered, as stored: `{access} {anonymous token}`. */
export const textOfDatasource = ({ access, anonymousToken }: GroupClosureBatch["datasources"][number]): string =>
  `${access} ${anonymousToken}`;

/** What {@link textOfDatasource} wrote. */
export function parseDatasource(text: string): { readonly access: DatasourceAccess; readonly token: PrincipalToken } {
  const at = text.indexOf(" ");
  return { access: text.slice(0, at) as DatasourceAccess, token: text.slice(at + 1) as PrincipalToken };
}
