import { match } from "ts-pattern";
import type { DocumentAccess } from "../../events/document.js";
import type { Email } from "../../shared/ids.js";
import { close, open, openOf, type Intervals, type Origin } from "./intervals.js";
import type { TimelineKind } from "./streamTimelines.js";

/** A document of one incarnation of a datasource. Being indexed again with the same access list closes nothing. */
export interface DocumentTimeline {
  readonly existence: Intervals;
  readonly anonymous: Intervals;
  readonly users: Map<Email, Intervals>;
  /** Keyed by the names that the document grants, whichever groups bear them. */
  readonly groups: Map<string, Intervals>;
  /** While no permissions were sent, and the datasource's `defaultAccess` decided. */
  readonly byDefault: Intervals;
  /** Every version, in order. */
  readonly versions: Origin[];
}

const nobody: DocumentAccess = { anonymous: false, users: [], groups: [] };

/** What a document's stream tells. */
export const documentTimeline: TimelineKind<"document", DocumentTimeline> = {
  about: "document",
  empty: () => ({ existence: [], anonymous: [], users: new Map(), groups: new Map(), byDefault: [], versions: [] }),
  follow(document, fact, origin) {
    match(fact)
      .with({ kind: "indexed" }, ({ access }) => {
        document.versions.push(origin);
        open(document.existence, { opened: origin, closed: null });
        grant(document, access, origin);
      })
      .with({ kind: "deleted" }, () => {
        close(document.existence, origin);
        grant(document, nobody, origin);
      })
      .exhaustive();
  },
  cacheCost: ({ versions, users, groups }) => 1 + versions.length + users.size + groups.size,
};

/** From here on exactly these are granted. */
function grant(
  { anonymous, users, groups, byDefault }: DocumentTimeline,
  access: DocumentAccess,
  origin: Origin,
): void {
  if (access.isDefault === true) open(byDefault, { opened: origin, closed: null });
  else close(byDefault, origin);
  if (access.anonymous) open(anonymous, { opened: origin, closed: null });
  else close(anonymous, origin);
  grantOnly(users, access.users, origin);
  grantOnly(groups, access.groups, origin);
}

function grantOnly<Name extends string>(grants: Map<Name, Intervals>, granted: readonly Name[], origin: Origin): void {
  const kept = new Set(granted);
  for (const [name, intervals] of grants) if (!kept.has(name)) close(intervals, origin);
  for (const name of granted) openOf(grants, name, { opened: origin, closed: null });
}
