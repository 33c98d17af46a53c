import type { DomainEvent } from "../src/events/domainEvent.js";
import type { DatasourceId, DatasourceName } from "../src/shared/ids.js";

/** A datasource of which nothing is said but its name. */
export const datasourceRegistered = (datasourceId: DatasourceId, name: DatasourceName): DomainEvent => ({
  type: "DatasourceRegistered",
  data: {
    datasourceId,
    name,
    displayName: name,
    icon: null,
    subs: [],
    objectDefinitions: [],
    defaultAccess: "anonymous",
  },
});
