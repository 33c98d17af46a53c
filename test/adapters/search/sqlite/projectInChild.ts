import { SearchScenario } from "../../../contracts/searchIndexScenario.js";
import { openSearchIndex } from "./openSearchIndex.js";

/** A process of its own that projects a datasource and a document into the index of the given file. */
const scenario = new SearchScenario(await openSearchIndex(process.argv[2] ?? "", () => undefined));
await scenario.given(scenario.datasource({ name: "wiki" }), scenario.document({ id: "from-child", text: "harbour" }));
await scenario.close();
