import { describeCommandsOf, programWithoutNpx, untilReady } from "../support/describeCommands.js";

describeCommandsOf("docs/auditing.md", {
  otherwise: {
    "npm run demo -- --once --data demo-data":
      "node dist/demo/main.js --once --data demo-data --port 0 # it is built already",
    "npm start": `node bin/enterprise-search.js serve > server.log & ${untilReady}, and it is built already`,
  },
  before: programWithoutNpx,
  printed: [],
});
