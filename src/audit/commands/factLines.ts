import type { ExplainedFact } from "../auditQueries.js";
import { toUtc } from "../../cli/instants.js";

/** What is so, and below it since when and by whom: no table fits a terminal where names are long. */
export const factLines = ({ fact, position, time, by }: ExplainedFact): readonly string[] => [
  `  ${fact}`,
  `      ${toUtc(time)} UTC, position ${position}, by ${by}`,
];
