import type { Email } from "../shared/ids.js";
import type { RecordedEvent } from "./domainEvent.js";
import { userStream, type StreamName } from "./streams.js";

/** An event, cut down to what it says of one person. */
export interface ToldOfPerson {
  /** The person's own stream. */
  readonly person: StreamName;
  readonly recorded: RecordedEvent;
}

/** What an event of another stream says of people, person by person; empty for every other event. */
export function toldOfPeople(recorded: RecordedEvent): readonly ToldOfPerson[] {
  const { event, unreadable } = recorded;
  if (event.type !== "GroupMembersReplaced" || unreadable !== undefined) return [];
  const { datasourceId, joined, left } = event.data;
  const told = (email: Email, of: "joined" | "left"): ToldOfPerson => ({
    person: userStream(datasourceId, email),
    recorded: { ...recorded, event: { ...event, data: { ...event.data, joined: [], left: [], [of]: [email] } } },
  });
  return [...left.map((email) => told(email, "left")), ...joined.map((email) => told(email, "joined"))];
}
