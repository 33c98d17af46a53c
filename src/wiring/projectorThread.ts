import { runProjectorThread } from "../daemon/runProjectorThread.js";
import { openProjecting } from "./projecting.js";

await runProjectorThread(openProjecting);
