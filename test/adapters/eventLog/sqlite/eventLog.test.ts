import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { openTemporaryLog } from "./temporaryLog.js";

describe("the SQLite event log", () => {
  eventLogContract(openTemporaryLog);
  eventLogSubscriptionContract(openTemporaryLog);
  contentStoreContract(openTemporaryLog);
});
