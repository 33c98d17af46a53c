import { holdsWhiteSpace } from "../../src/shared/texts.js";
import type { Rejection } from "../rejection.js";

/**
 * Refuses names with whitespace and names that begin with the product's own, in any case (spec: User, group,
 * membership).
 */
export function refuseGroupName(name: string, productName: string): Rejection | null {
  if (name === "") return { type: "GroupNameInvalid", reason: "A group's name must hold characters that are seen." };
  if (holdsWhiteSpace(name)) return { type: "GroupNameInvalid", reason: "A group's name must not contain whitespace." };
  if (name === "." || name === "..")
    return {
      type: "GroupNameInvalid",
      reason: "A group must not be called . or .., which addresses take for folders.",
    };
  if (name.toLowerCase().startsWith(productName.toLowerCase())) {
    return {
      type: "GroupNameInvalid",
      reason: `A group's name must not begin with the reserved prefix "${productName}".`,
    };
  }
  return null;
}
