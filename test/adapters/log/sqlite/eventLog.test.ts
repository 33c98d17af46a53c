import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogBrowsingContract } from "../../../contracts/eventLogBrowsingContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { unreadableEventsContract } from "../../../contracts/unreadableEventsContract.js";
import { newFolder, openLogIn, openTemporaryLog, removing } from "./temporaryLog.js";

describe("the SQLite event log", () => {
  eventLogContract(openTemporaryLog, { mostBytes: null });
  eventLogSubscriptionContract(openTemporaryLog);
  eventLogBrowsingContract(openTemporaryLog);
  contentStoreContract(openTemporaryLog);
  unreadableEventsContract(async (newerShapes) => {
    const folder = newFolder();
    return { program: removing(await openLogIn(folder), folder), newer: await openLogIn(folder, newerShapes) };
  });
});
