import { inQuery } from "../../http/validation/inQuery.js";
import type { QueryParameters } from "../../http/route.js";
import type { EventSelection } from "../../events/eventSelection.js";
import { categoryOf, streamCategories, type StreamCategory, type StreamName } from "../../events/streams.js";
import { toPosition, type Position } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import { echo, issue, notInEnum, valueError, type Issue } from "../../http/validation/issue.js";
import { flagIn } from "../../http/validation/parameters.js";
import type { QueryString } from "../../http/validation/queryString.js";
import type { Checked } from "../../http/validation/message.js";

const known = ["stream", "category", "from", "follow"];
const positionForm = /^\d{1,18}$/;

function checkEventSelection(parameters: QueryString): Checked<EventSelection> {
  const issues: Issue[] = [];
  refuseOthers(parameters, known, issues);
  const selection = {
    stream: streamIn(parameters.get("stream")?.at(-1), issues),
    category: categoryIn(parameters.get("category")?.at(-1), issues),
    from: positionIn("from", parameters.get("from")?.at(-1), issues),
    follow: flagIn(parameters, "follow", issues),
  };
  return issues.length > 0 ? failed(issues) : ok(selection);
}

/** Whatever is not one of these parameters joins the issues. */
export function refuseOthers(parameters: QueryString, names: readonly string[], issues: Issue[]): void {
  const sentence = `Extra inputs are not permitted: the parameters are ${names.join(", ")}`;
  for (const name of parameters.keys())
    if (!names.includes(name)) issues.push(issue(["query", name], "extra_forbidden", sentence));
}

/** The name of a stream; null where it is left out. What is wrong with it joins the issues. */
export function streamIn(text: string | undefined, issues: Issue[]): StreamName | null {
  if (text === undefined) return null;
  const stream = text as StreamName;
  if (streamCategories.includes(categoryOf(stream))) return stream;
  const error = `a stream is named {category}-{id}; the categories are ${streamCategories.join(", ")}`;
  issues.push({ ...valueError(["query", "stream"], error), ...echo(text) });
  return null;
}

/** A category of streams, like {@link streamIn}. */
export function categoryIn(text: string | undefined, issues: Issue[]): StreamCategory | null {
  if (text === undefined) return null;
  const category = streamCategories.find((name) => name === text);
  if (category === undefined) issues.push({ ...notInEnum(["query", "category"], streamCategories), ...echo(text) });
  return category ?? null;
}

/** A position of the log, like {@link streamIn}. */
export function positionIn(name: string, text: string | undefined, issues: Issue[]): Position | null {
  if (text === undefined) return null;
  if (positionForm.test(text)) return toPosition(BigInt(text));
  issues.push({ ...valueError(["query", name], "a position is a whole number"), ...echo(text) });
  return null;
}

/** The parameters of `GET /api/admin/events`. */
export const eventSelection: QueryParameters<EventSelection> = {
  parameters: [
    inQuery("stream", "Only this stream, such as `datasource-handbook`."),
    inQuery("category", "Only streams of this category.", { enum: [...streamCategories] }),
    inQuery("from", "From this position on, inclusive. Left out: from the first."),
    inQuery("follow", "Whether to go on behind the log's end.", { type: "boolean", default: false }),
  ],
  check: checkEventSelection,
};
