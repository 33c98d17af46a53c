import { contentStoreContract } from "../../../contracts/contentStoreContract.js";
import { eventLogBrowsingContract } from "../../../contracts/eventLogBrowsingContract.js";
import { eventLogContract } from "../../../contracts/eventLogContract.js";
import { eventLogSubscriptionContract } from "../../../contracts/eventLogSubscriptionContract.js";
import { unreadableEventsContract } from "../../../contracts/unreadableEventsContract.js";
import { newNamespace } from "../../../support/newNamespace.js";
import { openLogOn } from "./openLog.js";

const url = process.env["EVENTSTORE_URL"] ?? "";

(url === "" ? describe.skip : describe)(
  `the EventStoreDB event log, on a real server${url === "" ? " (none named by EVENTSTORE_URL)" : ""}`,
  () => {
    const open = () => openLogOn(url);
    eventLogContract(open, { mostBytes: 1_048_576 });
    eventLogSubscriptionContract(open);
    eventLogBrowsingContract(open);
    contentStoreContract(open);
    unreadableEventsContract(async (newerShapes) => {
      const namespace = newNamespace();
      return { program: await openLogOn(url, namespace), newer: await openLogOn(url, namespace, newerShapes) };
    });
  },
);
