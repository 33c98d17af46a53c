import { json } from "typia";
import { answerMessage } from "../validation/message.js";

/** Answer of `POST /memberships`. */
export interface MembershipAnswer {
  status: "ok";
  datasource: string;
  membership: { group_name: string; member_email?: string; member_group_name?: string };
}

export const membershipAnswer = answerMessage(json.schema<MembershipAnswer>());
