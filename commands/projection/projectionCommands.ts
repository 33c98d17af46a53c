import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import {
  type ComparisonSummary,
  projectionKinds,
  readModelNames,
  type ProjectionName,
  type ReadModelName,
} from "../../src/events/projection.js";
import { projectionStream } from "../../src/events/streams.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { replyWith } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import { decide, type ProjectionCommand } from "./decider.js";
import { projectionAggregate } from "./versions.js";

interface RebuildProjection extends ProjectionReference {
  /** Compare everything before the swap, not only counts and recent questions. */
  readonly verify: boolean;
  /** How many versions that were served before are kept. */
  readonly keep: number;
  /** Serve the new version whatever the comparison finds. */
  readonly accepted: boolean;
}

/** Starts a new version of a read model beside the one that is served. Refused while another is under way. */
export function rebuildProjection(
  services: CommandServices,
  { name, verify, keep, accepted }: RebuildProjection,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "StartRebuild",
    projection,
    verify,
    keep,
    accepted,
  }));
}

/** Lets the version under way be served although it differs. */
export function acceptVersion(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "AcceptVersion",
    projection,
  }));
}

/** Serves the version under way; refused where it has not been compared, or differs and was not accepted. */
export function activateVersion(
  services: CommandServices,
  { name, version }: VersionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "ActivateVersion",
    projection,
    version,
  }));
}

/** Goes back to the version that was served before, once it has caught up. */
export function rollBackProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({ type: "RollBack", projection }));
}

/** Gives up a version that is not served: one that is kept, or the one under way. Dropping it again changes nothing. */
export function dropVersion(
  services: CommandServices,
  { name, version }: VersionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "DropVersion",
    projection,
    version,
  }));
}

/** Lets a projection stand still until it is resumed. */
export function pauseProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "PauseProjection",
    projection,
  }));
}

/** Lets a paused projection go on from where it stands. */
export function resumeProjection(
  services: CommandServices,
  { name }: ProjectionReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "ResumeProjection",
    projection,
  }));
}

/** Lets an event that could not be applied be applied again. */
export function retryParked(
  services: CommandServices,
  { name, version, position }: ParkedReference,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "RetryParked",
    projection,
    version,
    position: position.toString(),
  }));
}

interface DiscardParked extends ParkedReference {
  /** The type of the event, as it is parked. */
  readonly eventType: string;
}

/**
 * Passes over an event that could not be applied, for good; refused of one that takes something away. Discarding it
 * again changes nothing.
 */
export function discardParked(
  services: CommandServices,
  { name, version, position, eventType }: DiscardParked,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "DiscardParked",
    projection,
    version,
    position: position.toString(),
    eventType,
  }));
}

interface RepairReadModel extends VersionReference {
  /** What is to be made afresh, in the projection's words. */
  readonly scopes: readonly string[];
}

/** Lets the projection make what it serves of these scopes afresh from the log. */
export function repairReadModel(
  services: CommandServices,
  { name, version, scopes }: RepairReadModel,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, projectionNamed(name), context, (projection) => ({
    type: "RepairReadModel",
    projection,
    version,
    scopes,
  }));
}

interface RecordComparison extends VersionReference {
  readonly comparison: ComparisonSummary;
}

/**
 * Records what came of comparing the version under way with the one that is served; of any other version it is passed
 * over.
 */
export function recordComparison(
  services: CommandServices,
  { name, version, comparison }: RecordComparison,
  context: CommandContext,
): CommandResult<null> {
  return handleProjection(services, readModelNamed(name), context, (projection) => ({
    type: "RecordComparison",
    projection,
    version,
    comparison,
  }));
}

/** A projection by the name that a person gave; there may be none. */
interface ProjectionReference {
  readonly name: string;
}

interface VersionReference extends ProjectionReference {
  readonly version: number;
}

/** An event that a version of a projection could not apply. */
interface ParkedReference extends VersionReference {
  readonly position: Position;
}

/** A projection by the name that a person gave. */
export function projectionNamed(name: string): Result<ProjectionName, Rejection> {
  return Object.hasOwn(projectionKinds, name)
    ? ok(name as ProjectionName)
    : failed({ type: "ProjectionNotFound", projection: name });
}

/** A projection that has versions: a reaction is no read model, and what it did is done once. */
export function readModelNamed(name: string): Result<ReadModelName, Rejection> {
  const named = projectionNamed(name);
  if (!named.ok) return named;
  const readModel = readModelNames.find((other) => other === name);
  return readModel === undefined ? failed({ type: "ProjectionIsReaction", projection: name }) : ok(readModel);
}

/** Decides a command on the stream of a projection. Refuses an unknown name, and one that is not of the wanted kind. */
async function handleProjection(
  { handler }: CommandServices,
  name: Result<ProjectionName, Rejection>,
  context: CommandContext,
  commandFor: (projection: ProjectionName) => ProjectionCommand,
): CommandResult<null> {
  if (!name.ok) return name;
  const command = commandFor(name.value);
  return handler.handle({
    aggregate: projectionAggregate,
    stream: projectionStream(name.value),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
}
