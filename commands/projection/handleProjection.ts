import {
  projectionKinds,
  readModelNames,
  type ProjectionName,
  type ReadModelName,
} from "../../src/events/projection.js";
import { projectionStream } from "../../src/events/streams.js";
import type { Position } from "../../src/shared/position.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { Rejection } from "../rejection.js";
import type { CommandServices } from "../services.js";
import { decide, type ProjectionCommand } from "./decider.js";
import { projectionAggregate } from "./versions.js";

/** A projection by the name that a person gave; there may be none. */
export interface ProjectionReference {
  readonly name: string;
}

export interface VersionReference extends ProjectionReference {
  readonly version: number;
}

/** An event that a version of a projection could not apply. */
export interface ParkedReference extends VersionReference {
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
export async function handleProjection(
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
