import type { ExplainedFact } from "../auditQueries.js";
import { toUtc } from "../../cli/arguments.js";

/** A fact, and below it when and by whom it began: no table fits a terminal where names are long. */
export const factLines = ({ fact, position, time, by }: ExplainedFact): readonly string[] => [
  `  ${fact}`,
  `      ${toUtc(time)} UTC, position ${position}, by ${by}`,
];
