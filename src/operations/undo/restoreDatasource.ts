import type { Datasource, Sub } from "../../events/datasource.js";
import { documentStream } from "../../events/streams.js";
import type { DatasourceId, DocumentId } from "../../shared/ids.js";
import { laterOf, type Position } from "../../shared/position.js";
import { ok } from "../../shared/result.js";
import type {
  CommandContext,
  CommandResult,
  Commands,
  IndexDocument,
  SubDeclaration,
} from "../../../commands/commands.js";
import type { IncarnationContent } from "./incarnation.js";
import type { UndoLog, UndoTexts } from "./ports.js";
import { reindexing } from "./undoDocument.js";
import { counted } from "../../shared/counted.js";

/** A datasource that is gone, as it would be registered again. */
export interface FormerDatasource {
  readonly datasource: Datasource;
  readonly content: IncarnationContent;
  /** Whether the texts of its documents are still there. */
  readonly hasTexts: boolean;
}

/** How many of its documents are looked at: the texts of a deleted datasource are erased together. */
const lookedAt = 10;

/** Whether its texts are still there: they are erased some time after the deletion. */
export async function hasTexts(
  log: UndoLog,
  texts: UndoTexts,
  id: DatasourceId,
  { documents }: IncarnationContent,
): Promise<boolean> {
  for (const [documentId, position] of [...documents].slice(0, lookedAt)) {
    if ((await documentAt(log, texts, { datasourceId: id, documentId, position })) === null) return false;
  }
  return documents.size > 0;
}

interface Version {
  readonly datasourceId: DatasourceId;
  readonly documentId: DocumentId;
  readonly position: Position;
}

/** A document as it was pushed at this position; null where its text has been erased. */
async function documentAt(
  log: UndoLog,
  texts: UndoTexts,
  { datasourceId, documentId, position }: Version,
): Promise<IndexDocument | null> {
  const stream = documentStream(datasourceId, documentId);
  const recorded = (await log.readStream(stream, 0)).find((candidate) => candidate.position === position);
  if (recorded?.event.type !== "DocumentIndexed") return null;
  const text = await texts.read({ stream, reference: recorded.event.data.content });
  return text === null ? null : reindexing(recorded.event.data, text);
}

/**
 * Registers it again, and everybody on it; documents where their texts are still there. Answers with what did not
 * succeed, in a sentence.
 */
export async function restoreDatasource(
  { datasource, content, hasTexts: withDocuments }: FormerDatasource,
  commands: Commands,
  context: CommandContext,
  log: UndoLog,
  texts: UndoTexts,
): CommandResult<string | null> {
  const { datasourceId, name, displayName, icon, subs, objectDefinitions, defaultAccess } = datasource;
  const registered = await commands.registerDatasource(
    { name, displayName, icon, subs: subs.map(declarationOf), objectDefinitions, defaultAccess },
    context,
  );
  if (!registered.ok) return registered;
  const tally = new Tally(registered.value.position);
  const nameOf = (groupId: string): string => content.groups.get(groupId as never) ?? groupId;
  for (const [email, personName] of content.people)
    tally.take(await commands.registerUser({ datasource: name, email, name: personName }, context));
  for (const group of content.groups.values())
    tally.take(await commands.createGroup({ datasource: name, name: group }, context));
  for (const { groupId, member } of content.memberships.values()) {
    const reference = member.kind === "user" ? member : ({ kind: "group", name: nameOf(member.groupId) } as const);
    tally.take(await commands.addMembership({ datasource: name, group: nameOf(groupId), member: reference }, context));
  }
  for (const [documentId, position] of withDocuments ? content.documents : []) {
    const document = await documentAt(log, texts, { datasourceId, documentId, position });
    if (document === null) tally.miss();
    else tally.take(await commands.indexDocument(document, context));
  }
  return ok({ value: tally.sentence(), position: tally.position });
}

class Tally {
  private refused = 0;
  private erased = 0;
  private reason = "";

  constructor(public position: Position | null) {}

  take(outcome: Awaited<CommandResult<unknown>>): void {
    if (outcome.ok) {
      if (outcome.value.position !== null)
        this.position =
          this.position === null ? outcome.value.position : laterOf(this.position, outcome.value.position);
      return;
    }
    this.refused++;
    this.reason = outcome.error.type;
  }

  miss(): void {
    this.erased++;
  }

  sentence(): string | null {
    const parts = [
      ...(this.refused === 0
        ? []
        : [`${this.refused} of its commands were refused, the last one because of ${this.reason}`]),
      ...(this.erased === 0 ? [] : [`the texts of ${counted(this.erased, "document")} have been erased meanwhile`]),
    ];
    return parts.length === 0 ? null : `It is registered again, but ${parts.join(", and ")}.`;
  }
}

const declarationOf = ({ name, key, subs }: Sub): SubDeclaration => ({
  name,
  key,
  parentKey: null,
  subs: subs.map((child) => ({ ...child, parentKey: key, subs: [] })),
});
