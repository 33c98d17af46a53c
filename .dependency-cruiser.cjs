/**
 * Who may import whom (ARCHITECTURE.md, "The house"). A folder may import itself, packages, and what its rule lists;
 * `npm run architecture` and `npm test` hold it. Type-only imports count (`tsPreCompilationDeps`).
 */
const repository = "^(commands|projections|queries|src|test|bench|demo|bin|build)/";

/** What lies in `folder` may import, of this repository, nothing but what is listed. */
const knowsOnly = (folder, allowed, comment) => ({
  name: `${folder} knows only what it may`,
  severity: "error",
  comment,
  from: { path: `^${folder}/` },
  to: { path: repository, pathNot: [`^${folder}/`, ...allowed] },
});

const language = "^src/(events|shared)/";
const readerPorts = "^queries/(ports|queries)\\.ts$";
const ports =
  "^((commands|projections|queries|src/http|src/daemon|src/webSearch)/ports|src/(audit|chat)/ports/[a-zA-Z]+)\\.ts$";
/** What goes over HTTP and the command line: the types of commands, questions and answers. */
const messages =
  "^(commands/(commands|rejection)|queries/queries|src/audit/(auditQueries|historyQuestions|export/auditExport)|src/operations/(parked/parkedEvents|undo/undo|verify/verification))\\.ts$";
/** The questions of a feature, without its routes and commands. */
const questions = (feature) =>
  `^src/${feature}/(?!routes/|messages/|commands/|trial/|whatIf/requests/|status/|[a-zA-Z]+Feature)`;
/** Engines whose clients take longer to load than the embedded service to start. */
const adaptersOfClients = "^src/adapters/(log/eventstoredb|search/typesense|store/redis|redis|web|identityProvider)/";

/** What typia works on: messages, which stand beside their routes, what checks them, and the file of access rules. */
const typed =
  "^src/(api/|(http|audit|operations|mcp|webSearch|chat)/(messages|routes)|http/(validation|signIn/signIn)|cli/import/accessRulesFile)|^test/http/validation/findings";

module.exports = {
  forbidden: [
    knowsOnly("src/shared", [], "Ids, positions and results rest on nothing."),
    knowsOnly("src/events", ["^src/shared/"], "The language of the system rests on shared types."),
    knowsOnly("src/readModels", [language], "The shapes of read models are told in the language of the system."),
    knowsOnly("src/analysis", ["^src/shared/"], "Text to terms: pure, for both sides and both engines."),
    knowsOnly(
      "src/search",
      ["^src/(analysis|shared|readModels)/"],
      "How a query is read, and what words there are: it knows no engine.",
    ),
    knowsOnly("commands", [language], "The write side never sees the read side."),
    knowsOnly("projections", [language, "^src/(analysis|readModels)/"], "Events in, read models out."),
    knowsOnly("queries", [language, "^src/(analysis|readModels)/"], "The read side never sees the write side."),
    {
      name: "queries know events as types alone",
      severity: "error",
      comment: "A question about now is answered from read models, never from the log.",
      from: { path: "^queries/" },
      to: { path: "^src/events/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "audit answers from history",
      severity: "error",
      comment: "Questions about the past read events and intervals (docs/design/audit.md); they never write.",
      from: { path: questions("audit") },
      to: { path: repository, pathNot: ["^src/audit/", language, "^src/(analysis|readModels)/", "^queries/"] },
    },
    {
      name: "operations prove and repair by the log",
      severity: "error",
      comment: "A proof shares nothing with the projections it checks (docs/design/audit.md); undo gives commands.",
      from: { path: questions("operations") },
      to: {
        path: repository,
        pathNot: ["^src/(operations|audit)/", language, "^src/readModels/", readerPorts, "^commands/(?!handleCommand)"],
      },
    },
    knowsOnly(
      "src/mcp",
      [
        language,
        messages,
        "^src/(analysis|http|readModels)/",
        "^src/(audit/(messages|routes)/|api/searchParameters)",
        "^src/(version|webSearch/webSearch)\\.ts$",
      ],
      "Asks what routes ask, in another form.",
    ),
    {
      name: "the protocol's library is loaded with the first message",
      severity: "error",
      comment: "It takes longer to load than the embedded service to start.",
      from: { path: "^src/(?!mcp/serve\\.ts)", pathNot: "^src/mcp/(serve|createServer)\\.ts$" },
      to: {
        path: "node_modules/@modelcontextprotocol/|^src/mcp/(serve|createServer)\\.ts$",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "web search knows engines and pages by its ports alone",
      severity: "error",
      comment: "What is merged, chosen and summed up is the same for all of them (docs/design/chat-and-web.md).",
      from: { path: questions("webSearch") },
      to: { path: repository, pathNot: ["^src/(webSearch|analysis|shared)/"] },
    },
    {
      name: "routes and commands of a feature know no engine",
      severity: "error",
      from: { path: "^src/(audit|operations|mcp|webSearch|chat)/(routes|messages|commands|whatIf/requests)/" },
      to: { path: "^(src/(adapters|wiring|daemon)|projections)/" },
    },
    {
      name: "chat asks through ports",
      severity: "error",
      comment: "The loop knows neither HTTP nor an engine: it asks as its person (docs/design/chat-and-web.md).",
      from: { path: questions("chat") },
      to: {
        path: repository,
        pathNot: [
          "^src/chat/(?!routes/|messages/)",
          language,
          "^src/(analysis|readModels)/",
          "^(commands/commands|queries/queries|src/webSearch/(webSearch|ports))\\.ts$",
        ],
      },
    },
    knowsOnly(
      "src/audit/trial",
      [language, "^commands/", "^src/audit/(ports/log\\.ts$|timeline/)"],
      "Commands on a log that forgets: of the past it knows the group graphs alone.",
    ),
    knowsOnly(
      "src/http",
      [
        language,
        "^(commands/(commands|rejection)|queries/queries)\\.ts$",
        "^src/readModels/",
        "^src/analysis/queryBounds\\.ts$",
        "^src/(config|logging|version)\\.ts$",
      ],
      "How the service is asked, whatever it is asked: it knows no feature and no engine.",
    ),
    knowsOnly(
      "src/api",
      [
        language,
        messages,
        "^src/(http|readModels)/",
        "^src/audit/(routes|messages)/",
        "^src/analysis/queryBounds\\.ts$",
      ],
      "What the spec asks for, in commands and queries; it knows no engine.",
    ),
    knowsOnly(
      "src/cli",
      [
        language,
        messages,
        "^src/readModels/",
        "^src/http/(messages|validation)/",
        "^src/(config|logging|main|version|wiring/(backups|commands))\\.ts$",
      ],
      "Speaks commands and queries, or starts the service; knows no engine.",
    ),
    knowsOnly(
      "src/adapters",
      [
        language,
        ports,
        "^src/(analysis|readModels|search)/",
        "^projections/[a-zA-Z]+/",
        "^(commands/commands|src/(api/documentIntake|http/validation/issue)|src/audit/asOf/historyPages)\\.ts$",
        "^src/webSearch/engines\\.ts$",
      ],
      "An adapter implements ports. Threads run what HTTP checks a body with, and what makes pages of history.",
    ),
    {
      name: "adapters know projections as types alone",
      severity: "error",
      comment: "A writer applies changes; what an event changes is the projection's business.",
      from: { path: "^src/adapters/" },
      to: { path: "^projections/[a-zA-Z]+/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters know no other adapter",
      severity: "error",
      comment: "`files`, `leases`, `redis`, `sqlite` and `threads` hold what adapters share.",
      from: { path: "^src/adapters/([^/]+)/" },
      to: {
        path: "^src/adapters/",
        pathNot: ["^src/adapters/$1/", "^src/adapters/(files|leases|redis|sqlite|threads)/"],
      },
    },
    {
      name: "only the composition root names concrete adapters",
      severity: "error",
      from: { path: "^(commands|projections|queries|src)/", pathNot: "^src/(wiring/|adapters/|main\\.ts$)" },
      to: { path: "^src/adapters/" },
    },
    {
      name: "clients of engines are loaded where a setting names them",
      severity: "error",
      from: { path: "^src/", pathNot: adaptersOfClients },
      to: { path: adaptersOfClients, dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    knowsOnly(
      "src/daemon",
      [
        language,
        "^src/(readModels|operations/verify)/",
        "^src/(config|logging|audit/ports/log)\\.ts$",
        "^commands/(commands|ports|projection/versions|document/withdrawText)\\.ts$",
        "^projections/(?!.+/)",
        "^queries/(ports|queries)\\.ts$",
      ],
      "The runtime knows read models as objects: neither their names nor their engines.",
    ),
    {
      name: "the command line loads the service when a command needs it",
      severity: "error",
      comment: "Help, and what is wrong with a command, are told at once.",
      from: { path: "^src/(cli|(audit|operations)/commands)/" },
      to: { path: "^src/(main|wiring/backups)\\.ts$", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "deciders and projections are pure",
      severity: "error",
      comment: "No files, clocks, network or engine: given the same input they answer the same.",
      from: { path: "(^commands/.+/decider|^projections/.+/project)\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "typia checks what comes from outside, and nothing else",
      severity: "error",
      comment: "A message is one file: its type, its check, its schema. Everywhere else types hold.",
      from: { pathNot: typed },
      to: { path: "node_modules/typia/" },
    },
    {
      name: "SQLite stays in adapters",
      severity: "error",
      from: { path: "^(commands|projections|queries|src)/", pathNot: "^src/adapters/" },
      to: { path: "node_modules/better-sqlite3/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "the service knows nothing of tests, benchmarks and demo",
      severity: "error",
      from: { path: "^(commands|projections|queries|src|bin)/" },
      to: { path: "^(test|bench|demo|build)/" },
    },
    {
      name: "the service runs without development dependencies",
      severity: "error",
      comment: "Types are gone at run time; everything else must be a dependency.",
      from: { path: "^(commands|projections|queries|src|bin|demo)/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "everything imported is there and declared",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["unknown", "undetermined", "npm-no-pkg", "npm-unknown"], pathNot: "^node:" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    // Tests may import what test/package.json declares, and what the root does.
    combinedDependencies: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^dist/" },
    enhancedResolveOptions: {
      // Few endings to try, and files looked for once: by default half of the time goes into looking for them again.
      extensions: [".ts", ".js", ".cjs", ".json"],
      cachedInputFileSystem: { cacheDuration: 600_000 },
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
