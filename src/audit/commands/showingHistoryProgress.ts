import type { OfflineService } from "../../main.js";
import { ProgressLine } from "../../cli/progressLine.js";

const firstMs = 1_000;

/** Works, and shows meanwhile how the permission history follows the log, where that takes more than a moment. */
export async function showingHistoryProgress<Value>(
  { historyProgress }: Pick<OfflineService, "historyProgress">,
  work: () => Promise<Value>,
): Promise<Value> {
  const line = new ProgressLine("of the log");
  let shown = -1;
  const show = async (): Promise<void> => {
    const { position, head } = await historyProgress();
    if (position >= head) return line.stop();
    if (shown < 0) line.start(Number(head));
    line.advance(Number(position) - Math.max(shown, 0));
    shown = Number(position);
  };
  // If it cannot be told how far the history is, the question itself says what is wrong.
  const timer = setInterval(() => void show().catch(() => undefined), firstMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.stop();
  }
}
