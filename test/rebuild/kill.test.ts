import { killRebuilds, ofFiles } from "./killRebuilds.js";

describe("kill -9 in the middle of a rebuild", () => {
  killRebuilds(
    [
      ["search", 28],
      ["groupClosure", 12],
      ["permissionHistory", 10],
    ],
    ofFiles,
    () => ({}),
  );
});
