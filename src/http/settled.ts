import type { Written } from "../../commands/commands.js";
import type { Rejection } from "../../commands/rejection.js";
import type { Result } from "../shared/result.js";
import { success, type Answer } from "./answer.js";
import { valueOf } from "./envelopes.js";
import type { RouteServices } from "./route.js";

/**
 * Answers a write once the read models of access and catalogue have caught up with it, or have had a moment to: a
 * client that registers a datasource and reads it back, or adds a member and searches, is not surprised.
 */
export async function settled<Value>(
  result: Result<Written<Value>, Rejection>,
  { settle }: RouteServices,
  represent: (value: Value) => unknown,
): Promise<Answer> {
  const { value, position } = valueOf(result);
  if (position !== null) await settle(position);
  return success(represent(value), position);
}
