import { useLocation } from "preact-iso";
import "./datasources.css";
import { DatasourceList } from "./list.js";
import { OneDatasource } from "./one.js";

/** The datasources, or the one that the address names. */
export function Datasources() {
  const { path } = useLocation();
  const [, , name = ""] = path.split("/");
  return name === "" ? <DatasourceList /> : <OneDatasource key={name} name={decodeURIComponent(name)} />;
}
