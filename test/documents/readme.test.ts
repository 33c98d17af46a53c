import { describeCommandsOf, untilReady } from "../support/describeCommands.js";

describeCommandsOf("README.md", {
  otherwise: {
    "npm ci": ": # the copy has the installed packages already",
    "npm test": ": # this is a part of it",
    "npm run demo": "npm run demo -- --once # else it goes on until Ctrl-C",
    "npm start": `npm start > server.log & ${untilReady}`,
  },
  printed: ["wiki__leave.md", '"has_access":false'],
});
