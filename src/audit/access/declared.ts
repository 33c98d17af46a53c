import type { DatasourceEvent } from "../../events/datasource.js";
import { datasourceStream } from "../../events/streams.js";
import type { LogReader } from "../ports/log.js";
import { declarationAfter, type Declaration } from "../timeline/declaration.js";
import type { AccessSubject } from "./accessSubject.js";

/** What documents of a datasource may refer to at a position. */
export interface Declared {
  /** Keys of top-level subs, and `{key}/{key of the child}`. */
  readonly subs: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

/** Reads what the subject's incarnation of the datasource declares. */
export async function readDeclared(
  log: LogReader,
  { datasource, datasourceId, position }: AccessSubject,
): Promise<Declared> {
  let declaration: Declaration | null = null;
  for (const recorded of await log.readStream(datasourceStream(datasource), 0)) {
    const event = recorded.event as DatasourceEvent;
    if (recorded.position <= position && event.data.datasourceId === datasourceId)
      declaration = declarationAfter(event, declaration, recorded.position);
  }
  const definitions = declaration?.datasource.objectDefinitions ?? [];
  return {
    subs: new Set(declaration?.subs.keys()),
    properties: new Set(definitions.flatMap(({ propertyDefinitions }) => propertyDefinitions.map(({ name }) => name))),
  };
}
