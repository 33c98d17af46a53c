import type { Query } from "../../address.js";
import { categories, eventTypes, type Category, type EventType } from "./names.js";

/** The filters that stand in the address, by the names of the API. */
export const filterNames = [
  "stream",
  "category",
  "type",
  "person",
  "since",
  "until",
  "correlation_id",
  "causation_id",
  "order",
  "from",
] as const;

/** What the address asks for. */
export interface Asked {
  readonly stream?: string;
  readonly category?: Category;
  readonly type?: EventType;
  readonly person?: string;
  readonly since?: string;
  readonly until?: string;
  readonly correlation_id?: string;
  readonly causation_id?: string;
  readonly order?: "asc" | "desc";
  readonly from?: string;
}

/** The filters of the address; what is none is left out. */
export function askedIn(query: Query): Asked {
  const given = (name: (typeof filterNames)[number]): string | undefined => query.get(name) ?? undefined;
  const asked: Record<keyof Asked, string | undefined> = {
    stream: given("stream"),
    category: categories.find((category) => category === given("category")),
    type: eventTypes.find((type) => type === given("type")),
    person: given("person"),
    since: given("since"),
    until: given("until"),
    correlation_id: given("correlation_id"),
    causation_id: given("causation_id"),
    order: given("order") === "asc" ? "asc" : undefined,
    from: given("from"),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== "")) as Asked;
}
