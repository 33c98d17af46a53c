import { expect } from "chai";
import { decide, type ProjectionCommand } from "../../../commands/projection/decider.js";
import { readModelNamed, projectionNamed } from "../../../commands/projection/projectionCommands.js";
import { evolve, initialState, type ProjectionState } from "../../../commands/projection/versions.js";
import type { ComparisonSummary, ProjectionEvent } from "../../../src/events/projection.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";

const projection = "search";
const given = deciderScenarios<ProjectionState, ProjectionEvent, ProjectionCommand>({ initialState, evolve, decide });

const started = (version: number, how: { keep?: number; accepted?: boolean } = {}): ProjectionEvent => ({
  type: "ProjectionRebuildStarted",
  data: { projection, version, verify: false, keep: 1, accepted: false, ...how },
});
const summary = (differences: number): ComparisonSummary => ({
  depth: "spot",
  position: "9",
  compared: 3,
  differences,
  kinds: [{ kind: "documents", compared: 3, differences }],
});
const compared = (version: number, differences = 0): ProjectionEvent => ({
  type: "ProjectionCompared",
  data: { projection, version, comparison: summary(differences) },
});
const accepted = (version: number): ProjectionEvent => ({
  type: "ProjectionVersionAccepted",
  data: { projection, version },
});
const activated = (version: number): ProjectionEvent => ({
  type: "ProjectionVersionActivated",
  data: { projection, version },
});
const dropped = (version: number): ProjectionEvent => ({
  type: "ProjectionVersionDropped",
  data: { projection, version },
});
const goingBack = (version: number): ProjectionEvent => ({
  type: "ProjectionRollbackStarted",
  data: { projection, version },
});
const paused: ProjectionEvent = { type: "ProjectionPaused", data: { projection } };
const resumed: ProjectionEvent = { type: "ProjectionResumed", data: { projection } };

const rebuild: ProjectionCommand = { type: "StartRebuild", projection, verify: false, keep: 1, accepted: false };
const activate = (version: number): ProjectionCommand => ({ type: "ActivateVersion", projection, version });
const drop = (version: number): ProjectionCommand => ({ type: "DropVersion", projection, version });
const secondServed = [started(2), compared(2), activated(2)];

describe("the decider of projections", () => {
  it("StartRebuild started", () =>
    given([])
      .when(rebuild)
      .then([started(2)]));
  it("StartRebuild started: numbers are never used again", () =>
    given([started(2), dropped(2)])
      .when(rebuild)
      .then([started(3)]));
  it("StartRebuild rejected: one is under way", () =>
    given([started(2)])
      .when(rebuild)
      .thenRejected({ type: "RebuildUnderWay", projection, version: 2 }));
  it("StartRebuild rejected: a rollback is under way", () =>
    given([...secondServed, goingBack(1)])
      .when(rebuild)
      .thenRejected("RebuildUnderWay"));

  it("RecordComparison compared", () =>
    given([started(2)])
      .when({ type: "RecordComparison", projection, version: 2, comparison: summary(1) })
      .then([compared(2, 1)]));
  it("RecordComparison passed over: the version was given up", () =>
    given([started(2), dropped(2)])
      .when({ type: "RecordComparison", projection, version: 2, comparison: summary(0) })
      .thenNothing());

  it("ActivateVersion activated: no difference", () =>
    given([started(2), compared(2)])
      .when(activate(2))
      .then([activated(2)]));
  it("ActivateVersion activated: a difference that was accepted", () =>
    given([started(2), compared(2, 5), accepted(2)])
      .when(activate(2))
      .then([activated(2)]));
  it("ActivateVersion activated: accepted beforehand", () =>
    given([started(2, { accepted: true }), compared(2, 5)])
      .when(activate(2))
      .then([activated(2)]));
  it("ActivateVersion activated: what is beyond `keep` goes with it", () =>
    given([...secondServed, started(3), compared(3)])
      .when(activate(3))
      .then([activated(3), dropped(1)]));
  it("ActivateVersion activated: nothing is kept", () =>
    given([started(2, { keep: 0 }), compared(2)])
      .when(activate(2))
      .then([activated(2), dropped(1)]));
  it("ActivateVersion repeated", () => given(secondServed).when(activate(2)).thenNothing());
  it("ActivateVersion rejected: not compared", () =>
    given([started(2, { accepted: true })])
      .when(activate(2))
      .thenRejected("VersionNotReady"));
  it("ActivateVersion rejected: different, and not accepted", () =>
    given([started(2), compared(2, 1)])
      .when(activate(2))
      .thenRejected({ type: "VersionNotReady", projection, version: 2 }));
  it("ActivateVersion rejected: given up", () =>
    given([started(2), dropped(2)])
      .when(activate(2))
      .thenRejected("VersionNotReady"));

  it("AcceptVersion accepted", () =>
    given([started(2), compared(2, 1)])
      .when({ type: "AcceptVersion", projection })
      .then([accepted(2)]));
  it("AcceptVersion repeated", () =>
    given([started(2), accepted(2)])
      .when({ type: "AcceptVersion", projection })
      .thenNothing());
  it("AcceptVersion rejected: nothing is under way", () =>
    given(secondServed)
      .when({ type: "AcceptVersion", projection })
      .thenRejected({ type: "NothingToAccept", projection }));

  it("RollBack started", () =>
    given(secondServed)
      .when({ type: "RollBack", projection })
      .then([goingBack(1)]));
  it("RollBack and forth: what it replaces is kept", () => {
    given([...secondServed, goingBack(1)])
      .when(activate(1))
      .then([activated(1)]);
    given([...secondServed, goingBack(1), activated(1)])
      .when({ type: "RollBack", projection })
      .then([goingBack(2)]);
  });
  it("RollBack rejected: nothing is kept", () =>
    given([]).when({ type: "RollBack", projection }).thenRejected({ type: "NoVersionKept", projection }));
  it("RollBack rejected: a rebuild is under way", () =>
    given([...secondServed, started(3)])
      .when({ type: "RollBack", projection })
      .thenRejected("RebuildUnderWay"));

  it("DropVersion dropped: a kept version", () =>
    given(secondServed)
      .when(drop(1))
      .then([dropped(1)]));
  it("DropVersion dropped: the one under way", () =>
    given([started(2)])
      .when(drop(2))
      .then([dropped(2)]));
  it("DropVersion repeated", () =>
    given([...secondServed, dropped(1)])
      .when(drop(1))
      .thenNothing());
  it("DropVersion rejected: it is served", () =>
    given(secondServed).when(drop(2)).thenRejected({ type: "VersionServed", projection, version: 2 }));
  it("DropVersion rejected: there is none", () =>
    given([]).when(drop(2)).thenRejected({ type: "VersionNotFound", projection, version: 2 }));

  it("PauseProjection paused", () => given([]).when({ type: "PauseProjection", projection }).then([paused]));
  it("PauseProjection repeated", () => given([paused]).when({ type: "PauseProjection", projection }).thenNothing());
  it("ResumeProjection resumed", () => given([paused]).when({ type: "ResumeProjection", projection }).then([resumed]));
  it("ResumeProjection repeated", () =>
    given([paused, resumed]).when({ type: "ResumeProjection", projection }).thenNothing());

  const parked = { projection, version: 1, position: "9" } as const;
  it("RetryParked retried, as often as it is asked for", () =>
    given([{ type: "ParkedEventRetried", data: parked }])
      .when({ type: "RetryParked", ...parked })
      .then([{ type: "ParkedEventRetried", data: parked }]));
  it("DiscardParked discarded", () =>
    given([])
      .when({ type: "DiscardParked", ...parked, eventType: "DocumentIndexed" })
      .then([{ type: "ParkedEventDiscarded", data: parked }]));
  it("DiscardParked repeated", () =>
    given([{ type: "ParkedEventDiscarded", data: parked }])
      .when({ type: "DiscardParked", ...parked, eventType: "DocumentIndexed" })
      .thenNothing());
  it("DiscardParked rejected: leaving it out would let people keep what they have lost", () =>
    given([])
      .when({ type: "DiscardParked", ...parked, eventType: "DatasourceDeleted" })
      .thenRejected({ type: "ParkedEventTakesAway", projection, eventType: "DatasourceDeleted" }));

  it("RepairReadModel requested", () =>
    given([])
      .when({ type: "RepairReadModel", projection, version: 1, scopes: ["document d:1"] })
      .then([{ type: "ReadModelRepairRequested", data: { projection, version: 1, scopes: ["document d:1"] } }]));
  it("RepairReadModel of nothing", () =>
    given([]).when({ type: "RepairReadModel", projection, version: 1, scopes: [] }).thenNothing());
});

describe("names of projections", () => {
  it("tells read models from reactions and from anything else", () => {
    expect(readModelNamed("groupClosure")).to.deep.equal({ ok: true, value: "groupClosure" });
    expect(readModelNamed("contentErasure")).to.deep.equal({
      ok: false,
      error: { type: "ProjectionIsReaction", projection: "contentErasure" },
    });
    expect(projectionNamed("contentErasure")).to.deep.equal({ ok: true, value: "contentErasure" });
    for (const name of ["nothing", "constructor", ""])
      expect(readModelNamed(name)).to.deep.equal({
        ok: false,
        error: { type: "ProjectionNotFound", projection: name },
      });
  });
});
