import type { Access } from "./access.js";
import type { DescribedRoute } from "./route.js";

const indexing = "/api/indexing/";
const admin = "/api/admin/";

/** Who may call the routes of administrators. */
export const administrators = "administrator" satisfies Access;

/**
 * Routes of the Indexing API once more, under `/api/admin/`: it takes service accounts alone, and people who administer
 * datasources have none. They do the same, and a change is tried as the request that it repeats.
 */
export const forAdministrators = (routes: readonly DescribedRoute[]): readonly DescribedRoute[] =>
  routes.map(({ whyNotTried: _whyNotTried, ...route }) => ({
    ...route,
    path: route.path.replace(indexing, admin),
    access: administrators,
    description: {
      ...route.description,
      tag: "Administration",
      summary: `${route.description.summary}, as an administrator`,
      description: [`What \`${route.method} ${route.path}\` does.`, route.description.description]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
    },
  }));
