import * as session from "../../../commands/session/decider.js";
import { events, sessionId } from "../../support/examples.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";

const given = deciderScenarios(session);
const { SessionStarted: started, SessionUsed: used, SessionEnded: ended } = events;
const everyMs = 300_000;

describe("the decider of sessions", () => {
  const start = { type: "StartSession", started: started.data } as const;
  const end = { type: "EndSession", id: sessionId } as const;
  const noteAfter = (ms: number) => {
    const usedAt = new Date(Date.parse(used.data.usedAt) + ms).toISOString();
    return { type: "NoteSessionUsed", id: sessionId, usedAt, everyMs } as const;
  };

  it("StartSession started, once", () => {
    given([]).when(start).then([started]);
    given([started]).when(start).thenNothing();
  });
  it("NoteSessionUsed: the first use, and then the first that is far enough from the newest", () => {
    given([started]).when(noteAfter(0)).then([used]);
    given([started, used])
      .when(noteAfter(everyMs - 1))
      .thenNothing();
    given([started, used])
      .when(noteAfter(everyMs))
      .then([{ ...used, data: { ...used.data, usedAt: noteAfter(everyMs).usedAt } }]);
  });
  it("NoteSessionUsed of one that is over, or is none: nothing, since nobody waits for it", () => {
    given([started, ended]).when(noteAfter(0)).thenNothing();
    given([]).when(noteAfter(0)).thenNothing();
  });
  it("EndSession ended, once", () => {
    given([started]).when(end).then([ended]);
    given([started, ended]).when(end).thenNothing();
    given([]).when(end).thenRejected({ type: "CredentialNotFound", id: sessionId });
  });
});
