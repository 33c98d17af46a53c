import { readModelNames } from "../../src/events/projection.js";
import { killRebuilds, ofServers } from "../rebuild/killRebuilds.js";
import { rebuildInSeveralProcesses } from "../rebuild/rebuildInSeveralProcesses.js";
import { rebuildWhileStoriesAreTold } from "../rebuild/rebuildWhileStoriesAreTold.js";
import { describeOnNamedEngines, namedEngines } from "../support/namedEngines.js";
import { newNamespace } from "../support/newNamespace.js";
import { describeOnRedis, sharedRedis } from "../support/redisServer.js";

const inRedis = async (): Promise<NodeJS.ProcessEnv> => ({
  REDIS_URL: (await sharedRedis()).url,
  NAMESPACE: newNamespace(),
});
const onNamedEngines = (): NodeJS.ProcessEnv => ({ ...namedEngines, NAMESPACE: newNamespace() });
/** Where there is a Redis, the others are: who answers requests keeps the permission history. */
const byProjectors = readModelNames.filter((name) => name !== "permissionHistory");
/** With all of them, nothing of a service is in its folder that other processes need. */
const needsFolder = Object.keys(namedEngines).length < 4;

describe("read models on engines that are rebuilt while people search and write", () => {
  describeOnRedis("with Redis", () => {
    describe("in one process", () => rebuildWhileStoriesAreTold(24, inRedis));
    describe("in several processes that share a folder", () =>
      rebuildInSeveralProcesses({ stories: 8, killed: ["groupClosure"], sharesFolder: true }, inRedis));
  });

  describeOnNamedEngines("with the engines that the environment names", () => {
    describe("in one process", () => rebuildWhileStoriesAreTold(40, onNamedEngines));
    describe("in several processes", () =>
      rebuildInSeveralProcesses({ stories: 80, killed: byProjectors, sharesFolder: needsFolder }, onNamedEngines));
  });
});

describeOnNamedEngines("kill -9 in the middle of a rebuild on the engines that the environment names", () => {
  killRebuilds(
    readModelNames.map((name) => [name, 6]),
    ofServers,
    onNamedEngines,
  );
});
