import { match } from "ts-pattern";
import type { DocumentAccess, DocumentEvent, DocumentIndexed } from "../../events/document.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { documentStream } from "../../events/streams.js";
import type { IndexDocument } from "../../../commands/commands.js";
import type { FactHistory } from "./facts.js";
import { datasourceGone, type Names } from "./names.js";
import { done, type PlannedStep, type Undoing, type UndoTexts } from "./ports.js";

type Indexed = DocumentIndexed["data"];
type Step = Omit<PlannedStep, "taken">;

const isText = (text: string | null): text is string => text !== null;

/**
 * A document goes back to the version before: deleted where there was none, else indexed again with the fields and the
 * access of then, if its text is still there. Where it is not, a narrower access list comes back without it; a wider
 * one does not: it was given for another text.
 */
export async function undoDocument({ before, last }: FactHistory, names: Names, texts: UndoTexts): Promise<Undoing> {
  const was = before === null ? null : versionAfter(before);
  const is = versionAfter(last);
  const data = was ?? is;
  if (data === null) return { kind: "nothing" };
  if ((await names.datasource(data.datasourceId)) === null) return { kind: "kept", reason: datasourceGone };
  if (was === null) return { kind: "step", step: deletion(data) };
  const text = await texts.read(keyOf(was));
  if (isText(text)) return { kind: "step", step: indexing(was, is, text, `index ${nameOf(was)} again as it was`) };
  if (is === null)
    return {
      kind: "kept",
      reason: `The document was deleted, and its text has been erased: push ${nameOf(was)} again from its source.`,
    };
  return narrowed(was, is, texts);
}

/** The version that an event of a document's stream leaves; null: none. */
const versionAfter = ({ event }: RecordedEvent): Indexed | null =>
  match(event as DocumentEvent)
    .returnType<Indexed | null>()
    .with({ type: "DocumentIndexed" }, ({ data }) => data)
    .with({ type: "DocumentDeleted" }, () => null)
    .exhaustive();

async function narrowed(was: Indexed, is: Indexed, texts: UndoTexts): Promise<Undoing> {
  const erased = `The text of ${nameOf(was)} was replaced and has been erased: push it again from its source.`;
  const text = await texts.read(keyOf(is));
  const [gains, loses] = [without(was.access, is.access), without(is.access, was.access)];
  if (text === null || loses.length === 0) return { kind: "kept", reason: erased };
  if (gains.length > 0)
    return {
      kind: "kept",
      reason: `${erased} Its access list stays as it is: that of before was wider, and meant for another text.`,
    };
  return {
    kind: "step",
    step: indexing({ ...is, access: was.access }, is, text, `give ${nameOf(was)} its narrower access list back`),
    but: erased,
  };
}

const deletion = ({ datasource, documentId, access }: Indexed): Step => ({
  undo: `delete ${datasource}/${documentId}`,
  gains: [],
  loses: grantsOf(access),
  run: (commands, context) => done(commands.deleteDocument({ datasource, documentId }, context)),
});

function indexing(to: Indexed, from: Indexed | null, text: string, undo: string): Step {
  const document = reindexing(to, text);
  return {
    undo,
    gains: from === null ? grantsOf(to.access) : without(to.access, from.access),
    loses: from === null ? [] : without(from.access, to.access),
    run: async (commands, context) => {
      const result = await commands.indexDocument(document, context);
      if (!result.ok) return result;
      const { value, position } = result.value;
      return { ok: true, value: { value: value.outcome === "sent" ? null : value.message, position } };
    },
  };
}

/** A document as it was pushed. */
const reindexing = (data: Indexed, text: string): IndexDocument => ({
  ...data,
  body: { kind: "text", text, mimeType: data.mimeType, size: data.size, ...(data.file && { file: data.file }) },
});

const keyOf = ({ datasourceId, documentId, content }: Indexed) => ({
  stream: documentStream(datasourceId, documentId),
  reference: content,
});

const nameOf = ({ datasource, documentId }: Indexed): string => `${datasource}/${documentId}`;

const grantsOf = ({ anonymous, users, groups }: DocumentAccess): string[] => [
  ...(anonymous ? ["everyone registered"] : []),
  ...users,
  ...groups.map((group) => `group ${group}`),
];

/** Grants that the one gives and the other does not. Nobody can be added to everyone registered. */
const without = (access: DocumentAccess, other: DocumentAccess): string[] =>
  other.anonymous ? [] : grantsOf(access).filter((grant) => !grantsOf(other).includes(grant));
