import type { DocumentIndexed } from "../../events/document.js";
import { documentStream, datasourceStream } from "../../events/streams.js";
import type { Email, GroupId } from "../../shared/ids.js";
import type { ChangeRequest } from "../auditQueries.js";
import type { LogReader } from "../ports/log.js";
import { closureAt, coneAt, type Situation, type AccessSubject } from "./situation.js";
import { grantedGroups } from "./findChain.js";
import { openAt } from "../timeline/intervals.js";
import type { DatasourceEvent } from "../../events/datasource.js";
import { declarationAfter, type Declaration } from "../timeline/declaration.js";

type Version = DocumentIndexed["data"];

const post = (resource: string, body: object): ChangeRequest => ({
  method: "POST",
  path: `/api/indexing/${resource}`,
  body,
});

/** For when not even the datasource is there: all three have to be made. */
export function changeWithoutDatasource({
  user,
  datasource,
  documentId,
}: {
  readonly user: Email;
  readonly datasource: string;
  readonly documentId: string;
}): ChangeRequest[] {
  return [
    post("datasources", { name: datasource }),
    registration(datasource, user),
    indexing({ datasource, id: documentId, title: documentId, file_type: "file", permissions: grantOnly([user]) }),
  ];
}

/**
 * The fewest requests of the Indexing API that would have made it a yes at the position. A membership is preferred to
 * indexing the document again, which only its source can do; of several groups, the one that gives the person the
 * fewest others. A request to index lacks the text, of which nobody should keep a copy beside the log.
 */
export async function findSmallestChange(log: LogReader, situation: Situation): Promise<ChangeRequest[]> {
  const { subject, document, person } = situation;
  const { email, datasource, position } = subject;
  const isRegistered = openAt(person.registrations, position) !== null;
  const registers = isRegistered ? [] : [registration(datasource, email)];
  const exists = openAt(document.existence, position) !== null;
  if (!exists)
    return [
      ...registers,
      indexing(await fieldsOf(log, await lastVersion(log, situation), situation, grantOnly([email]))),
    ];
  if (openAt(document.anonymous, position) !== null || openAt(document.users.get(email), position) !== null)
    return registers;
  const group = leastGroup(situation);
  if (group !== null)
    return [...registers, post("memberships", { datasource, membership: { group_name: group, member_email: email } })];
  const last = await lastVersion(log, situation);
  const users = [...new Set([...(last?.access.users ?? []), email])].sort();
  const groups = last?.access.groups ?? [];
  return [
    ...registers,
    indexing(await fieldsOf(log, last, situation, { ...grantOnly(users), allowed_groups: groups })),
  ];
}

const registration = (datasource: string, email: Email): ChangeRequest =>
  post("users", { datasource, user: { email } });

const indexing = (document: object): ChangeRequest => post("documents", { documents: document });
const grantOnly = (users: readonly Email[]): object => ({
  allow_anonymous_access: false,
  allowed_users: users.map((email) => ({ email })),
});

/** The granted group in which a membership gives the person fewest other groups; null where no granted group exists. */
function leastGroup({ subject: { position }, document, person, graph }: Situation): string | null {
  const held = closureAt(person.groups, graph, position);
  const gains = (group: GroupId): number =>
    [...coneAt(group, graph, position)].filter((gained) => !held.has(gained)).length;
  const candidates = [...grantedGroups(document, graph, position).values()].map(({ naming }) => ({
    name: naming.name,
    gains: gains(naming.groupId),
  }));
  const [least] = candidates.sort((a, b) => a.gains - b.gains || (a.name < b.name ? -1 : 1));
  return least?.name ?? null;
}

/** The newest version at the position, deleted since or not; null where there never was one. */
async function lastVersion(
  log: LogReader,
  { subject: { datasourceId, documentId, position }, document }: Situation,
): Promise<Version | null> {
  const origin = document.versions.findLast((version) => version.position <= position);
  if (origin === undefined) return null;
  const [recorded] = await log.readStream(documentStream(datasourceId, documentId), origin.revision, 1);
  return recorded?.event.type === "DocumentIndexed" ? recorded.event.data : null;
}

/**
 * A document as it was, in the words of the API: with these permissions, without its text, and only with subs and
 * properties that are still declared.
 */
async function fieldsOf(
  log: LogReader,
  last: Version | null,
  { subject }: Situation,
  permissions: object,
): Promise<object> {
  const { datasource, documentId: id } = subject;
  if (last === null) return { datasource, id, title: id, file_type: "file", permissions };
  const { subs, properties } = await readDeclared(log, subject);
  const sub = last.sub !== null && subs.has(last.sub) ? last.sub : null;
  const childSub = sub !== null && subs.has(`${sub}/${last.childSub}`) ? last.childSub : null;
  const values = last.customProperties.filter(({ name }) => properties.has(name));
  const optional = {
    path_preview: last.pathPreview,
    path: last.path,
    author: last.author,
    last_modified: last.lastModified,
    data_source_sub: sub,
    data_source_sub_sub: childSub,
  };
  return {
    ...{ datasource, id, title: last.title, body: { mime_type: last.mimeType }, file_type: last.fileType },
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    permissions,
    ...(values.length === 0 ? {} : { custom_properties: values }),
  };
}

/** What documents of a datasource may refer to at a position. */
interface Declared {
  /** Keys of top-level subs, and `{key}/{key of the child}`. */
  readonly subs: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

/** Reads what the subject's incarnation of the datasource declares. */
async function readDeclared(log: LogReader, { datasource, datasourceId, position }: AccessSubject): Promise<Declared> {
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
