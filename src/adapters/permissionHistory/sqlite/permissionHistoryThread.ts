import { workerData } from "node:worker_threads";
import { HistoryPages, type HistoryPageRequest } from "../../../audit/asOf/historyPages.js";
import { openSqlitePermissionHistory } from "./openSqlitePermissionHistory.js";
import { serveThread } from "../../threads/serveThread.js";

const { file } = workerData as { readonly file: string };
const history = openSqlitePermissionHistory({ file });
const pages = new HistoryPages(history);

serveThread({
  page: (request: HistoryPageRequest) => pages.page(request),
  close: () => history.close(),
});
