import { killRebuilds, ofFiles } from "./killRebuilds.js";

describe("kill -9 in the middle of a rebuild", () => {
  killRebuilds(
    [
      ["search", 34],
      ["groupClosure", 16],
      ["permissionHistory", 12],
    ],
    ofFiles,
    () => ({}),
  );
});
