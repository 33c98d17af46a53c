import { administrationRoutes } from "./administration.js";
import { checkAccessRoutes } from "./checkAccess.js";
import { datasourceRoutes, fileTypeRoutes } from "./datasources.js";
import { documentRoutes } from "./documents.js";
import { fileRoutes } from "./files.js";
import { groupRoutes } from "./groups.js";
import { inventoryRoutes } from "./inventory.js";
import { membershipRoutes } from "./memberships.js";
import { searchRoutes } from "./search.js";
import { sessionRoutes } from "./session.js";
import { suggestRoutes } from "./suggest.js";
import { syncRunRoutes } from "./syncRuns.js";
import { userRoutes } from "./users.js";
import type { Feature } from "../http/route.js";

/** What the spec asks for: the Indexing API, the query API, and signing in. */
export const apiFeature: Feature = {
  routes: [
    ...datasourceRoutes,
    ...fileTypeRoutes,
    ...documentRoutes,
    ...checkAccessRoutes,
    ...syncRunRoutes,
    ...userRoutes,
    ...groupRoutes,
    ...membershipRoutes,
    ...inventoryRoutes,
    ...administrationRoutes,
    ...searchRoutes,
    ...suggestRoutes,
    ...fileRoutes,
    ...sessionRoutes,
  ],
  tags: {
    Datasources: "What documents come from: subs, properties. Beta.",
    Documents: "Push documents with their permissions. Beta.",
    "Sync runs": "Delete what a source no longer has, once all of it was pushed. Beta.",
    Users: "Who may search a datasource. Beta.",
    Groups: "Groups of people and groups. Beta.",
    Memberships: "Who belongs to which group. Beta.",
    Search: "Search as a person, and read what was found. Beta.",
    Files: "Files of one's own, to ask about. Beta.",
    Session: "Signing in and out, with a password, a link, or at an identity provider.",
    Administration:
      "Datasources, people, groups and documents, for administrators: what connectors do, and looking into it.",
  },
};
