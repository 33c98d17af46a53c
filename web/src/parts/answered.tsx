import type { ComponentChildren } from "preact";
import type { Answer } from "../api/useAnswer.js";
import { Busy, Fault } from "./states.js";

interface AnsweredProps<Data> {
  readonly answer: Answer<Data>;
  /** Shown instead where {@link isEmpty} says so: what to do next. */
  readonly empty?: ComponentChildren;
  readonly isEmpty?: (data: Data) => boolean;
  /** Shows the answer. */
  readonly children: (data: Data) => ComponentChildren;
}

/** What came of a question: on its way, failed, nothing, or an answer. */
export function Answered<Data>({ answer, empty, isEmpty = () => false, children }: AnsweredProps<Data>) {
  const { data, fault, isBusy, again } = answer;
  if (fault !== null) return <Fault again={again}>{fault}</Fault>;
  if (data === null) return isBusy ? <Busy /> : null;
  return <>{isEmpty(data) ? empty : children(data)}</>;
}
