import { startBrowser, whyNoBrowser } from "../test/support/chromium.js";
import { measureBytes } from "./dashboard/bytes.js";
import { measureExplorer } from "./dashboard/explorer.js";
import { measureNavigation } from "./dashboard/navigation.js";
import { measurePainting } from "./dashboard/painting.js";
import { measureScrolling } from "./dashboard/scrolling.js";
import type { Dashboard } from "./dashboard/visitor.js";
import type { Measurement } from "./measure.js";
import { startServiceProcess } from "./processes.js";

/** What the dashboard's people wait for, by the browser's own clock. Skipped where there is no browser. */
export async function measureDashboard(
  rounds: number,
  report: (line: string) => void,
): Promise<readonly Measurement[]> {
  if (whyNoBrowser !== null) {
    report(`dashboard: skipped, ${whyNoBrowser}`);
    return [];
  }
  const service = await startServiceProcess();
  const browser = await startBrowser();
  try {
    const dashboard: Dashboard = { service, browser, cookie: await service.signIn("bench@example.org") };
    report("navigation");
    const navigation = await measureNavigation(dashboard, rounds);
    report("searching");
    const painting = await measurePainting(dashboard);
    report("the explorer");
    const explorer = await measureExplorer(dashboard, rounds);
    report("long lists");
    const scrolling = await measureScrolling(dashboard, report);
    return [...navigation, ...painting, ...explorer, ...scrolling, ...(await measureBytes(dashboard))];
  } finally {
    await browser.close();
    await service.stop();
  }
}
