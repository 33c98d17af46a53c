import type { tags } from "typia";
import type { DatasourceReference } from "./documentMessages.js";
import type { MaxCharacters } from "./maxCharacters.js";

/**
 * No whitespace, and not starting with the product's name: broken, these are 400, not 422 (spec: Per-endpoint
 * statuses).
 */
export type GroupName = string & tags.MinLength<1> & MaxCharacters<128>;
type PersonName = string & MaxCharacters<256>;

/** A person who may search the datasource. */
export interface UserMessage {
  /** The login email. Missing, empty or blank is 400. */
  email?: (string & MaxCharacters<254>) | null;
  /** For display alone. */
  name?: PersonName | null;
}

/** Body of `POST /users`. */
export interface RegisterUserMessage {
  datasource: DatasourceReference;
  user: UserMessage;
}

/** Body of `PUT /users/{datasource}/{email}`. */
export interface RenameUserMessage {
  name: PersonName;
}

/** A group of people and groups. */
export interface GroupMessage {
  name: GroupName;
}

/** Body of `POST /groups`. */
export interface CreateGroupMessage {
  datasource: DatasourceReference;
  group: GroupMessage;
}

/** Body of `PUT /groups/{datasource}/{group_name}`. */
export interface RenameGroupMessage {
  /** The new name. */
  group_name: GroupName;
}

/** Exactly one of `member_email` and `member_group_name`. */
export interface MembershipMessage {
  group_name: GroupName;
  member_email?: (string & tags.MinLength<1> & MaxCharacters<254>) | null;
  member_group_name?: GroupName | null;
}

/** Body of `POST /memberships`. */
export interface AddMembershipMessage {
  datasource: DatasourceReference;
  membership: MembershipMessage;
}

/** Answer of a write that has nothing to add. */
export interface DoneAnswer {
  status: "ok";
}

/** Answer of the user routes. */
export interface UserAnswer {
  status: "ok";
  datasource: string;
  user: { email: string; name: string | null };
}

/** Answer of the group routes. */
export interface GroupAnswer {
  status: "ok";
  datasource: string;
  group: { name: string };
}

/** Answer of `POST /memberships`. */
export interface MembershipAnswer {
  status: "ok";
  datasource: string;
  membership: { group_name: string; member_email?: string; member_group_name?: string };
}
