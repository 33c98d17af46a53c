import { tellRandomStories } from "./randomStories.js";

describe("what people see, told in random stories", () => {
  tellRandomStories(256, () => ({}));
});
