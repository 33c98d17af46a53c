import { Announcements } from "../../threads/announcements.js";
import type { CollectionNames } from "./schema.js";

/**
 * Announces what is written to these collections within this process. Other processes' writes are found out by asking.
 */
export const announcementsOf = ({ state }: CollectionNames): Announcements => new Announcements(`typesense:${state}`);
