import { rebuildWhileStoriesAreTold } from "./rebuildWhileStoriesAreTold.js";

describe("read models that are rebuilt while people search and write", () => {
  rebuildWhileStoriesAreTold(40, () => ({}));
});
