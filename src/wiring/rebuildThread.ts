import { runRebuildThread } from "../daemon/runRebuildThread.js";
import { openProjecting } from "./projecting.js";

await runRebuildThread(openProjecting);
