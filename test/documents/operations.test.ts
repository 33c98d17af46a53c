import { describeCommandsOf, programWithoutNpx } from "../support/describeCommands.js";

describeCommandsOf("docs/operations.md", {
  otherwise: {
    "npm run demo -- --once --data demo-data":
      "node dist/demo/main.js --once --data demo-data --port 0 # it is built already",
  },
  before: programWithoutNpx,
  printed: [],
});
