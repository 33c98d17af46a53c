import { describeOnNamedEngines, namedEngines } from "../support/namedEngines.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";
import { tellRandomStories } from "../model/randomStories.js";
import { newNamespace } from "../support/newNamespace.js";

describe("what people see, told in random stories to a service on engines", () => {
  describeOnRedis("with its read models in Redis", () => {
    tellRandomStories(40, async () => ({ REDIS_URL: (await sharedRedis()).url, NAMESPACE: newNamespace() }));
  });

  describeOnNamedEngines("on the engines that the environment names", () => {
    tellRandomStories(200, () => ({ ...namedEngines, NAMESPACE: newNamespace() }));
  });
});
