import { match } from "ts-pattern";
import {
  documentTimeline,
  type DocumentTimeline,
  type TimelineKind,
  personTimeline,
  type PersonTimeline,
  groupTimeline,
  type GroupTimeline,
} from "../../../audit/timeline/streamTimelines.js";
import { openOf, type Intervals, type Origin } from "../../../audit/timeline/intervals.js";
import type { FactAbout, PermissionSubject } from "../../../audit/timeline/permissionFact.js";
import type { HistoryAnswer } from "./askedFacts.js";
import { intervalsInWords } from "./spans.js";
import { aspects } from "./historySubjects.js";

/** What happens to people, groups and documents. */
export type SubjectFact = FactAbout<"person" | "group" | "document">;

/** What the log tells of one person, group or document. */
export interface SubjectTimeline {
  follow(fact: SubjectFact, origin: Origin): void;
  /** Aspect by aspect, in the order in which they began. */
  answer(): HistoryAnswer;
  /** About one per thing it remembers; at least one. */
  readonly weight: number;
}

/** The timeline of something of which nothing is told yet. */
export const newSubjectTimeline = (about: SubjectFact["about"]): SubjectTimeline =>
  match(about)
    .returnType<SubjectTimeline>()
    .with("person", () => new TimelineInAspects(personTimeline, aspectsOfPerson))
    .with("group", () => new TimelineInAspects(groupTimeline, aspectsOfGroup))
    .with("document", () => new TimelineInAspects(documentTimeline, aspectsOfDocument))
    .exhaustive();

type AspectIntervals = readonly [aspect: string, intervals: Intervals];

class TimelineInAspects<About extends PermissionSubject, Timeline> implements SubjectTimeline {
  private readonly timeline: Timeline;

  constructor(
    private readonly kind: TimelineKind<About, Timeline>,
    private readonly aspectsOf: (timeline: Timeline) => readonly AspectIntervals[],
  ) {
    this.timeline = kind.empty();
  }

  follow(fact: SubjectFact, origin: Origin): void {
    this.kind.follow(this.timeline, fact as FactAbout<About>, origin);
  }

  answer(): HistoryAnswer {
    const began = ([, [first]]: AspectIntervals): number => Number(first?.opened.position);
    const told = this.aspectsOf(this.timeline).filter(([, intervals]) => intervals.length > 0);
    return new Map(
      told.toSorted((a, b) => began(a) - began(b)).map(([aspect, intervals]) => [aspect, intervalsInWords(intervals)]),
    );
  }

  get weight(): number {
    return this.kind.cacheCost(this.timeline);
  }
}

const aspectsOfPerson = ({ registrations, groups }: PersonTimeline): readonly AspectIntervals[] => [
  [aspects.registration, registrations],
  ...Array.from(groups, ([groupId, intervals]) => [aspects.memberOf(groupId), intervals] as const),
];

function aspectsOfGroup({ names, parents }: GroupTimeline): readonly AspectIntervals[] {
  const byName = new Map<string, Intervals>();
  for (const naming of names) openOf(byName, naming.name, naming);
  return [
    ...Array.from(byName, ([name, intervals]) => [aspects.name(name), intervals] as const),
    ...Array.from(parents ?? [], ([groupId, intervals]) => [aspects.memberOf(groupId), intervals] as const),
  ];
}

const aspectsOfDocument = ({
  existence,
  anonymous,
  users,
  groups,
  byDefault,
}: DocumentTimeline): readonly AspectIntervals[] => [
  [aspects.existence, existence],
  [aspects.byDefault, byDefault],
  [aspects.grantTo("anonymous", ""), anonymous],
  ...Array.from(users, ([email, intervals]) => [aspects.grantTo("user", email), intervals] as const),
  ...Array.from(groups, ([name, intervals]) => [aspects.grantTo("group", name), intervals] as const),
];
