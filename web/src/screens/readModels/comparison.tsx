import { Table } from "../../parts/table.js";
import type { Projection } from "./live.js";
import { say } from "./say.js";

type ComparisonSummary = NonNullable<NonNullable<Projection["under_way"]>["comparison"]>;

type Difference = NonNullable<ComparisonSummary["examples"]>[number]["differs"][number];

/** What came of comparing a new version with the one that is served. */
export function Comparison({ comparison }: { readonly comparison: ComparisonSummary }) {
  const { kinds, examples = [], differences, compared, position } = comparison;
  return (
    <>
      <p class={differences > 0 ? "warning" : "notice"}>
        {say("compared", { count: differences, differences, compared, position })}
      </p>
      <Table
        label={say("differences")}
        items={kinds}
        keyOf={({ kind }) => kind}
        columns={[
          { name: say("kind"), cell: ({ kind }) => kind },
          { name: say("comparedColumn"), cell: (kind) => kind.compared },
          { name: say("differences"), cell: (kind) => kind.differences },
        ]}
      />
      {examples.length > 0 && (
        <details>
          <summary>{say("examples")}</summary>
          <ul class="stack plain-list">
            {examples.map(({ kind, subject, differs }) => (
              <li key={`${kind} ${subject}`} class="card stack">
                <strong>
                  {kind} <code>{subject}</code>
                </strong>
                {differs.map((difference) => (
                  <p key={difference.aspect}>{toldOf(difference)}</p>
                ))}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** In what two versions differ, and what each says of it where that may be told. */
function toldOf({ aspect, live, next, missing = [], extra = [] }: Difference): string {
  const told = [
    ...(live === undefined ? [] : [say("served", { value: live ?? say("nothing") })]),
    ...(next === undefined ? [] : [say("built", { value: next ?? say("nothing") })]),
    ...(missing.length === 0 ? [] : [say("lacks", { values: missing.join(", ") })]),
    ...(extra.length === 0 ? [] : [say("hasBesides", { values: extra.join(", ") })]),
  ];
  return told.length === 0 ? aspect : `${aspect}: ${told.join("; ")}`;
}
