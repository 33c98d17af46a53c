import { accountEventTypes } from "./account.js";
import { agentEventTypes } from "./agent.js";
import { answerEventTypes } from "./answer.js";
import { auditQuestionEventTypes } from "./auditQuestion.js";
import { apiKeyEventTypes, serviceAccountEventTypes } from "./credential.js";
import { datasourceEventTypes } from "./datasource.js";
import { documentEventTypes } from "./document.js";
import type { EventType } from "./domainEvent.js";
import { fileEventTypes } from "./file.js";
import { groupGraphEventTypes } from "./groupGraph.js";
import { groupMembersEventTypes } from "./membership.js";
import { projectionEventTypes } from "./projection.js";
import { sessionEventTypes } from "./session.js";
import { syncRunEventTypes } from "./syncRun.js";
import { userEventTypes } from "./user.js";

const eventTypes: Readonly<Record<EventType, true>> = {
  ...datasourceEventTypes,
  ...groupGraphEventTypes,
  ...groupMembersEventTypes,
  ...userEventTypes,
  ...documentEventTypes,
  ...serviceAccountEventTypes,
  ...apiKeyEventTypes,
  ...projectionEventTypes,
  ...auditQuestionEventTypes,
  ...syncRunEventTypes,
  ...fileEventTypes,
  ...agentEventTypes,
  ...answerEventTypes,
  ...accountEventTypes,
  ...sessionEventTypes,
};

/** Every type that this program knows. */
export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[];

/** Whether this program knows events of a type: a newer program may have written others. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTypes, type);

/**
 * What events hold of secrets. It is hashed, and yet nobody who reads events is shown it: a hash is what a stolen
 * secret or a guessed password could be tried on.
 */
const hiddenFields: ReadonlySet<string> = new Set(["secretSha256", "passwordHash"]);

/** An event's data as they may be shown. */
export const shownFields = (data: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(data).filter(([field]) => !hiddenFields.has(field)));
