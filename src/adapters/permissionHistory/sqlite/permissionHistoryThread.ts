import { workerData } from "node:worker_threads";
import { HistoryPages, type HistoryPageRequest } from "../../../audit/asOf/historyPages.js";
import { openSqlitePermissionHistory } from "./openSqlitePermissionHistory.js";
import type { SubjectSearch } from "../../../audit/ports/permissionHistory.js";
import { openSqliteSubjects } from "./openSqliteSubjects.js";
import { serveThread } from "../../threads/serveThread.js";

const { file } = workerData as { readonly file: string };
const history = openSqlitePermissionHistory({ file });
const subjects = openSqliteSubjects({ file });
const pages = new HistoryPages(history);

serveThread({
  page: (request: HistoryPageRequest) => pages.page(request),
  findSubjects: (search: SubjectSearch) => subjects.find(search),
  counts: () => subjects.counts(),
  close: () => {
    history.close();
    subjects.close();
  },
});
