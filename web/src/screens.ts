import { lazy } from "preact-iso";
import type { FunctionComponent } from "preact";
import { has, type Role } from "./session.js";
import type { screenName } from "./screenName.js";

/** A place of the navigation. */
export interface Screen {
  readonly name: Parameters<typeof screenName>[0];
  readonly path: string;
  /** The role that it needs; null: everybody may. */
  readonly role: Role | null;
  readonly component: FunctionComponent;
}

/** Every screen of the navigation, each in a file of its own that is loaded when it is opened. */
export const screens: readonly Screen[] = [
  {
    name: "search",
    path: "/search",
    role: null,
    component: lazy(() => import("./screens/search/search.js").then((file) => file.Search)),
  },
  {
    name: "ask",
    path: "/ask",
    role: null,
    component: lazy(() => import("./screens/ask/ask.js").then((file) => file.Ask)),
  },
  {
    name: "access",
    path: "/access",
    role: "auditor",
    component: lazy(() => import("./screens/access/access.js").then((file) => file.Access)),
  },
  {
    name: "serviceAccounts",
    path: "/service-accounts",
    role: "administrator",
    component: lazy(() => import("./screens/serviceAccounts/serviceAccounts.js").then((file) => file.ServiceAccounts)),
  },
  {
    name: "apiKeys",
    path: "/api-keys",
    role: null,
    component: lazy(() => import("./screens/apiKeys/apiKeys.js").then((file) => file.ApiKeys)),
  },
  {
    name: "datasources",
    path: "/datasources",
    role: "administrator",
    component: lazy(() => import("./screens/datasources/datasources.js").then((file) => file.Datasources)),
  },
  {
    name: "readModels",
    path: "/read-models",
    role: "operator",
    component: lazy(() => import("./screens/readModels/readModels.js").then((file) => file.ReadModels)),
  },
  {
    name: "events",
    path: "/events",
    role: "operator",
    component: lazy(() => import("./screens/events/events.js").then((file) => file.Events)),
  },
];

/** The screens that the person who is signed in may open. */
export const openScreens = (): readonly Screen[] => screens.filter(({ role }) => role === null || has(role));
