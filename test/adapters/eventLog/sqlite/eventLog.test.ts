import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { openTemporaryLog } from "./temporaryLog.js";

describe("the SQLite event log", () => {
  eventLogContract(openTemporaryLog, { mostBytes: null });
  eventLogSubscriptionContract(openTemporaryLog);
  contentStoreContract(openTemporaryLog);
});
