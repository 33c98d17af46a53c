import { ok, type Result, failed } from "../../shared/result.js";
import type { QueryFailure } from "../../../queries/queries.js";
import {
  type HistoryAnswer,
  type HistoryQuestion,
  documentName,
  type DifferenceQuestion,
  type NothingFound,
  type VisibleItem,
} from "../historyQuestions.js";
import type { PermissionHistory, Incarnation, PermissionIntervals } from "../ports/permissionHistory.js";
import type { DatasourceName, Email } from "../../shared/ids.js";
import type { DocumentReference } from "../auditFacts.js";
import { describeExposedFact, exposedFact, type ExposedIn } from "../exposure/exposedFact.js";
import {
  visibilityOfDocument,
  visibilityOfPair,
  visibilityOfPerson,
  type VisibilityInterval,
  isByDefaultAt,
} from "../visibility/overTime.js";
import { exposureOf } from "../exposure/exposure.js";
import { intervalsOf, still } from "../visibility/intervalSet.js";
import { inOrder, entriesOfDocument, entriesOfGroup, entriesOfUser } from "../visibility/historyEntries.js";
import { entriesBetween, newestFirst } from "../visibility/changes.js";
import { visibleDocuments, whatWasVisible, notRegistered } from "../visibility/what.js";
import { whoWouldSee } from "../whatIf/whoWouldSee.js";
import { whoCouldSee } from "../visibility/who.js";
import {
  explained,
  linksBetween,
  linksOfDocument,
  linksOfGroup,
  linksOfPerson,
  noDocument,
  type Link,
} from "../visibility/links.js";

/** A stretch of an answer. */
export interface HistoryPageRequest {
  readonly question: HistoryQuestion;
  /** The position as of which the question is asked; the history has reached it. */
  readonly position: number;
  /** Items to pass over. */
  readonly offset: number;
  readonly count: number;
}

export interface HistoryPage extends Pick<HistoryAnswer, "total" | "missing" | "about"> {
  readonly items: readonly object[];
  /** False where the answer ends with this page. */
  readonly hasMore: boolean;
}

/** An answer that somebody is in the middle of. */
interface OpenAnswer {
  readonly answer: HistoryAnswer;
  readonly items: Iterator<object | null>;
  /** Taken already, because a page has to know whether it is the last. */
  ahead: IteratorResult<object | null>;
}

/** The longest that a page keeps others waiting; what is not found by then comes on a later page. */
const longestMs = 250;
/**
 * How many answers are kept for their next page. Any other answer is made again from its beginning, with the same
 * items.
 */
const mostOpen = 16;

/**
 * Cuts answers into pages. An answer as of one position never changes, so pages neither overlap nor miss anything. A
 * page that takes too long ends early, even empty, with `hasMore` set.
 */
export class HistoryPages {
  private readonly open = new Map<string, OpenAnswer>();

  constructor(
    private readonly history: PermissionHistory,
    private readonly now = (): number => performance.now(),
  ) {}

  page(request: HistoryPageRequest): Result<HistoryPage, QueryFailure> {
    const opened = this.take(request) ?? this.start(request);
    if ("ok" in opened) return opened;
    const items: object[] = [];
    const end = this.now() + longestMs;
    for (let { ahead } = opened; ahead.done !== true && this.now() < end; ahead = opened.ahead) {
      if (items.length === request.count && ahead.value !== null) break;
      if (ahead.value !== null) items.push(ahead.value);
      opened.ahead = opened.items.next();
    }
    const hasMore = opened.ahead.done !== true;
    if (hasMore) this.keep(keyOf({ ...request, offset: request.offset + items.length }), opened);
    const { items: _items, ...told } = opened.answer;
    return ok({ items, hasMore, ...told });
  }

  private take(request: HistoryPageRequest): OpenAnswer | undefined {
    const key = keyOf(request);
    const opened = this.open.get(key);
    this.open.delete(key);
    return opened;
  }

  private start({
    question,
    position,
    offset,
  }: HistoryPageRequest): OpenAnswer | Extract<Result<never, QueryFailure>, { readonly ok: false }> {
    const answer = answerHistory(this.history, question, position);
    if (!answer.ok) return answer;
    const items = answer.value.items[Symbol.iterator]();
    let ahead = items.next();
    for (let passed = 0; passed < offset && ahead.done !== true; ahead = items.next())
      if (ahead.value !== null) passed++;
    return { answer: answer.value, items, ahead };
  }

  private keep(key: string, opened: OpenAnswer): void {
    const [oldest] = this.open.keys();
    if (this.open.size >= mostOpen && oldest !== undefined) this.open.delete(oldest);
    this.open.set(key, opened);
  }
}

const keyOf = ({ question, position, offset }: HistoryPageRequest): string =>
  JSON.stringify([position, offset, question]);

/**
 * Answers a question as of a position that the history has reached. Fails where an event is parked, at or before that
 * position, of a datasource on which the answer rests: not knowing is not "no". Items are made as they are taken.
 */
function answerHistory(history: PermissionHistory, question: HistoryQuestion, position: number): Answered {
  const facts = history.upTo(position);
  switch (question.kind) {
    case "who":
      return answerWho(history, question, position);
    case "what":
      return answerWhat(history, position, (at, incarnations) => whatWasVisible(at, incarnations, question.user));
    case "visibleDocuments":
      return answerWhat(history, position, (at, incarnations) => ({
        items: visibleDocuments(at, incarnations, question.user),
      }));
    case "documentTimeline":
      return unlessParked(history, facts, facts.incarnations(question.datasource), () =>
        timeline(history, entriesOfDocument(facts, question), neverIndexed(question)),
      );
    case "groupTimeline":
      return unlessParked(history, facts, facts.incarnations(question.datasource), () =>
        timeline(history, entriesOfGroup(facts, question.datasource, question.group), neverNamed(question)),
      );
    case "userTimeline":
      return unlessParked(history, facts, facts.incarnations(), () =>
        timeline(history, entriesOfUser(facts, question.user), neverThere(question.user)),
      );
    case "effective":
      return unlessParked(history, facts, facts.incarnations(question.document?.datasource), () =>
        intervals(history, facts, question),
      );
    case "links":
      return answerLinks(history, question, position);
    case "linksOfGroup":
      return answerLinksOfGroup(history, question, position);
    case "changes":
      return unlessParked(history, facts, facts.incarnations(question.document?.datasource), () => ({
        items: newestFirst(history, entriesBetween(facts, question.document, question.user)),
      }));
    case "exposureOfEvent":
    case "exposureOfGrant":
      return answerExposure(history, facts, question);
    case "difference":
      return answerDifference(history, question, position);
  }
}

function answerWho(
  history: PermissionHistory,
  question: Extract<HistoryQuestion, { readonly kind: "who" }>,
  position: number,
): Answered {
  const facts = history.at(position);
  const incarnation = facts.incarnations(question.datasource)[0] ?? null;
  const parked = findParked(history, incarnation === null ? [] : [incarnation], position);
  return parked ?? ok(whoCouldSee(facts, incarnation, question));
}

function answerWhat(
  history: PermissionHistory,
  position: number,
  answer: (facts: PermissionIntervals, incarnations: readonly Incarnation[]) => HistoryAnswer,
): Answered {
  const facts = history.at(position);
  const incarnations = facts.incarnations().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return findParked(history, incarnations, position) ?? ok(answer(facts, incarnations));
}

function unlessParked(
  history: PermissionHistory,
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  answer: () => HistoryAnswer,
): Answered {
  return findParked(history, incarnations, facts.position) ?? ok(answer());
}

const timeline = (
  history: PermissionHistory,
  entries: ReturnType<typeof entriesOfDocument>,
  missing: NothingFound,
): HistoryAnswer => (entries.length === 0 ? { items: [], missing } : { items: inOrder(history, entries) });

const neverIndexed = ({ datasource, documentId }: DocumentReference): NothingFound => ({
  kind: "document_absent",
  detail: `There never was a document ${documentName(datasource, documentId)}.`,
});

const neverThere = (user: Email): NothingFound => ({
  kind: "not_registered",
  detail: `${user} was never registered, and no document ever named them.`,
});

const neverNamed = ({
  datasource,
  group,
}: {
  readonly datasource: DatasourceName;
  readonly group: string;
}): NothingFound => ({
  kind: "group_absent",
  detail: `There never was a group ${group} on ${datasource}, and no document there ever named one.`,
});

function intervals(
  history: PermissionHistory,
  facts: PermissionIntervals,
  question: Extract<HistoryQuestion, { readonly kind: "effective" }>,
): HistoryAnswer {
  const { document, user } = question;
  // What is not known at this moment may have a number already.
  if (document !== null && entriesOfDocument(facts, document).length === 0)
    return { items: [], missing: neverIndexed(document) };
  if (user !== null && !isKnown(facts, user)) return { items: [], missing: neverThere(user) };
  return { items: visible(history, facts, effective(facts, question)) };
}

function* effective(
  facts: PermissionIntervals,
  { document, user }: Extract<HistoryQuestion, { readonly kind: "effective" }>,
): Generator<VisibilityInterval> {
  if (document !== null && user !== null) yield* visibilityOfPair(facts, user, document);
  else if (document !== null) yield* visibilityOfDocument(facts, document);
  else if (user !== null) yield* visibilityOfPerson(facts, user);
}

const isKnown = (facts: PermissionIntervals, user: Email): boolean =>
  facts.incarnations().some(({ number }) => {
    const person = facts.person(number, user);
    return person !== null && (person.registrations.length > 0 || facts.grantsTo(person.number).length > 0);
  });

function answerExposure(
  history: PermissionHistory,
  facts: PermissionIntervals,
  question: Extract<HistoryQuestion, { readonly kind: `exposure${string}` }>,
): Answered {
  const found = exposedFact(history, facts, question);
  if (typeof found === "string")
    return (
      findParked(history, [], facts.position) ?? ok({ items: [], missing: { kind: "nothing_opened", detail: found } })
    );
  return unlessParked(history, facts, [found.incarnation], () => {
    const [about] = inOrder(history, [
      [found.fact.opened, describeExposedFact(facts, found), grantsByDefault(facts, found)],
    ]);
    return { items: visible(history, facts, exposures(facts, found)), ...(about !== undefined && { about }) };
  });
}

/** Whether what is asked of is a grant that the datasource made. */
const grantsByDefault = (facts: PermissionIntervals, { fact }: ExposedIn): boolean =>
  fact.kind === "grants" && fact.grants.some(([document]) => isByDefaultAt(facts, document, fact.opened));

function answerDifference(history: PermissionHistory, question: DifferenceQuestion, position: number): Answered {
  const facts = history.at(position);
  const touched = new Set(question.events.map(({ data }) => ("datasourceId" in data ? data.datasourceId : "")));
  const incarnations = facts.incarnations().filter(({ datasourceId }) => touched.has(datasourceId));
  return findParked(history, incarnations, position) ?? ok(whoWouldSee(facts, question));
}

function* exposures(
  facts: PermissionIntervals,
  { incarnation, fact }: ExposedIn,
): Generator<VisibilityInterval | null> {
  yield* exposureOf(facts, incarnation, fact);
}

/** Each interval on its own, with the times of the events that began and ended it. */
function* visible(
  history: PermissionHistory,
  facts: PermissionIntervals,
  found: Iterable<VisibilityInterval | null>,
): Generator<VisibleItem | null> {
  const timeOf = (position: number): string => history.source(position)?.time ?? "";
  for (const visibility of found) {
    if (visibility === null) yield null;
    else yield* intervalItems(facts, visibility, timeOf);
  }
}

function* intervalItems(
  facts: PermissionIntervals,
  { incarnation, person, document, times }: VisibilityInterval,
  timeOf: (position: number) => string,
): Generator<VisibleItem> {
  const seen = {
    user_email: facts.personOf(person).email,
    document: documentName(incarnation.name, facts.documentIdOf(document)),
  };
  for (const [from, until] of intervalsOf(times)) {
    const end =
      until === still ? { until: null, until_time: null } : { until: String(until), until_time: timeOf(until) };
    const byDefault = isByDefaultAt(facts, document, from) ? ({ by_default: true } as const) : {};
    yield { ...seen, from: String(from), from_time: timeOf(from), ...end, ...byDefault };
  }
}

/** The links on the ways between a document and a person, or of one of them alone. */
function answerLinks(
  history: PermissionHistory,
  { document, user }: Extract<HistoryQuestion, { readonly kind: "links" }>,
  position: number,
): Answered {
  const facts = history.at(position);
  const incarnations = facts.incarnations(document?.datasource).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parked = findParked(history, incarnations, position);
  if (parked !== null) return parked;
  const links = linksOf(facts, incarnations, document, user);
  if (links !== null) return ok(explained(history, links));
  const missing = document === null ? notRegistered(user ?? "") : noDocument(document);
  return ok({ items: [], total: 0, missing });
}

function linksOf(
  facts: PermissionIntervals,
  incarnations: readonly Incarnation[],
  document: DocumentReference | null,
  user: Email | null,
): readonly Link[] | null {
  const [incarnation] = incarnations;
  if (document === null) return user === null ? [] : linksOfPerson(facts, incarnations, user);
  if (incarnation === undefined) return null;
  return user === null
    ? linksOfDocument(facts, incarnation, document)
    : linksBetween(facts, incarnation, document, user);
}

/** What is behind a group: its people, or the documents that grant it something. */
function answerLinksOfGroup(
  history: PermissionHistory,
  question: Extract<HistoryQuestion, { readonly kind: "linksOfGroup" }>,
  position: number,
): Answered {
  const facts = history.at(position);
  const incarnations = facts.incarnations(question.datasource);
  const [incarnation] = incarnations;
  const name = incarnation === undefined ? null : facts.principal(incarnation.number, "group", question.group);
  const group = name === null ? undefined : facts.groupsNamed(name)[0]?.[0];
  const parked = findParked(history, incarnations, position);
  if (parked !== null) return parked;
  if (incarnation === undefined || group === undefined) return ok({ items: [], total: 0, missing: noGroup(question) });
  return ok(explained(history, linksOfGroup(facts, incarnation, group, question.of)));
}

const noGroup = ({ datasource, group }: { readonly datasource: string; readonly group: string }): NothingFound => ({
  kind: "group_absent",
  detail: `There was no group ${group} on ${datasource}.`,
});

type Parked = Extract<QueryFailure, { readonly type: "HistoryParked" }>;

/** An answer about the past, or that an event on which it rests is parked. */
type Answered = Result<HistoryAnswer, Parked>;

/**
 * A failure that names the first of these datasources of which an event is parked. Where there are no datasources, any
 * parked event counts. null: everything is known.
 */
function findParked(
  history: PermissionHistory,
  incarnations: readonly Incarnation[],
  position: number,
): Answered | null {
  const isUnknown = (from: number | null): boolean => from !== null && from <= position;
  const parked = incarnations.find(({ datasourceId }) => isUnknown(history.suspendedFrom(datasourceId)));
  if (parked !== undefined) return failed({ type: "HistoryParked", datasource: parked.name });
  return incarnations.length === 0 && isUnknown(history.suspendedFrom())
    ? failed({ type: "HistoryParked", datasource: null })
    : null;
}
