import { toStoredEmail } from "../../shared/ids.js";
import { laterOf, type Position, toPosition } from "../../shared/position.js";
import type { CommandContext, Commands } from "../../../commands/commands.js";
import { accountStream, apiKeyStream, serviceAccountStream } from "../../events/streams.js";
import type { PlannedStep, UndoLog, UndoTexts } from "./ports.js";
import { planUndo, type UndoPlan } from "./planUndo.js";
import type { Undo, UndoAnswer, UndoRequest, UndoSights, UndoStepAnswer } from "./undo.js";
import { type EventSource, positionBefore, readUpTo } from "../../events/eventSource.js";

export interface UndoServices {
  readonly commands: Commands;
  readonly log: UndoLog;
  readonly texts: UndoTexts;
  /**
   * Runs commands on a log that forgets, and tells who would gain and lose sight of what by them; null: nobody can tell
   * now.
   */
  tryOut(run: (commands: Commands) => Promise<void>): Promise<UndoSights | null>;
}

/** More commands are not tried: their documents would all be held in memory. */
const mostTried = 10_000;

/** What is tried is in nobody's name. */
const nobody: CommandContext = { by: "operator", correlationId: "undo", allowedDatasources: null };

/** Takes back a bad sync by ordinary commands that compensate each write, the newest first. */
export function createUndo({ commands, log, texts, tryOut }: UndoServices): Undo {
  return {
    isKnown: async (by) => {
      if (by === "operator") return true;
      const streams = [serviceAccountStream(by), apiKeyStream(by), accountStream(toStoredEmail(by))];
      const first = await Promise.all(streams.map((name) => log.readLast(name)));
      return first.some((event) => event !== null);
    },
    preview: async (request, onProgress) => {
      const plan = await planUndo(request, log, texts);
      const sights =
        plan.steps.length > mostTried
          ? null
          : await tryOut(async (trial) => {
              for (const [index, step] of plan.steps.entries()) {
                onProgress?.({ done: index / plan.steps.length });
                await step.run(trial, nobody);
              }
            });
      return { ...answerOf(request, plan, (step) => stepAnswer(step, "planned")), sights };
    },
    carryOut: async (request, context, onProgress) => {
      const plan = await planUndo(request, log, texts);
      const outcomes = new Map<PlannedStep, UndoStepAnswer>();
      let position: Position | null = null;
      for (const [index, step] of plan.steps.entries()) {
        onProgress?.({ done: index / plan.steps.length });
        const outcome = await carryOut(step, commands, context);
        outcomes.set(step, outcome.answer);
        if (outcome.position !== null)
          position = position === null ? outcome.position : laterOf(position, outcome.position);
      }
      const answer = answerOf(request, plan, (step) => outcomes.get(step) ?? stepAnswer(step, "planned"));
      return { ...answer, dry_run: false, position: position?.toString() ?? null };
    },
  };
}

interface Outcome {
  readonly answer: UndoStepAnswer;
  readonly position: Position | null;
}

async function carryOut(step: PlannedStep, commands: Commands, context: CommandContext): Promise<Outcome> {
  const { id } = step.taken;
  if ((await step.isAsPlanned?.(context.correlationId)) === false)
    return { answer: { ...stepAnswer(step, "refused"), reason: "It has been changed meanwhile." }, position: null };
  const result = await step.run(commands, { ...context, causationId: id });
  if (!result.ok)
    return {
      answer: { ...stepAnswer(step, "refused"), reason: `The command was refused: ${result.error.type}.` },
      position: null,
    };
  const { value: reason, position: written } = result.value;
  return {
    answer: reason === null ? stepAnswer(step, "done") : { ...stepAnswer(step, "refused"), reason },
    position: written,
  };
}

const stepAnswer = (
  { taken, undo, gains, loses }: PlannedStep,
  outcome: UndoStepAnswer["outcome"],
): UndoStepAnswer => ({
  position: taken.position.toString(),
  stream: taken.stream,
  event: taken.event.type,
  undo,
  gains: [...gains],
  loses: [...loses],
  outcome,
});

const answerOf = (
  { from, to, by }: UndoRequest,
  plan: UndoPlan,
  stepOf: (step: PlannedStep) => UndoStepAnswer,
): UndoAnswer => ({
  from: from.toString(),
  to: to.toString(),
  credential: by,
  dry_run: true,
  events: plan.events,
  steps: plan.steps.map(stepOf),
  sights: null,
  changed_since: [...plan.changedSince],
  not_restorable: [...plan.notRestorable],
  position: null,
});

const eventsAtOnce = 1_000;

/** The events after one position, up to and including another: of whatever log an undo looks at. */
export const readRangeOf = (log: Pick<EventSource, "subscribe" | "before">): UndoLog["readRange"] =>
  async function* (after, upTo, categories) {
    if (after >= upTo) return;
    // An undo begins at a position that it was told, not where an event stands.
    const from = toPosition(after + 1n);
    const stretch = { log, after: await positionBefore(log, from), upTo, categories, maxBatchSize: eventsAtOnce };
    for await (const { events } of readUpTo(stretch)) yield events.filter(({ position }) => position >= from);
  };
