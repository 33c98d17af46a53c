import { killRebuilds, ofFiles } from "./killRebuilds.js";

describe("kill -9 in the middle of a rebuild", () => {
  killRebuilds(
    [
      ["search", 10],
      ["groupClosure", 6],
      ["permissionHistory", 6],
    ],
    ofFiles,
    () => ({}),
  );
});
