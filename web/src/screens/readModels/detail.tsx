import { lazy } from "preact-iso";
import { useState } from "preact/hooks";
import { addressOf } from "../../address.js";
import { locale } from "../../words.js";
import { Fact, Facts } from "../../parts/facts.js";
import { Instant } from "../../parts/instant.js";
import { Fault } from "../../parts/states.js";
import { Actions } from "./actions.js";
import { Comparison } from "./comparison.js";
import type { Projection, Sample, Standing } from "./live.js";
import { Parked } from "./parked.js";
import { say } from "./say.js";
import { lagOf, State } from "./state.js";

const Graph = lazy(() => import("./graph.js").then((file) => file.Graph));

interface DetailProps {
  readonly projection: Projection;
  readonly unit: Standing["log_unit"];
  readonly samples: readonly Sample[];
}

/** One read model: how it does, what is under way, and what can be done. */
export function Detail({ projection, unit, samples }: DetailProps) {
  const [fault, setFault] = useState<string | null>(null);
  const { last_error: error, under_way: underWay, kept } = projection;
  return (
    <>
      <p>
        <a href="/read-models">{say("back")}</a>
      </p>
      {fault !== null && <Fault>{fault}</Fault>}
      <Doing projection={projection} unit={unit} />
      <Actions projection={projection} onFault={setFault} />
      <Behind samples={samples} />
      {underWay !== null && <UnderWay underWay={underWay} />}
      {error !== null && <LastError error={error} />}
      <Parked projection={projection} />
      {kept.length > 0 && <Kept kept={kept} />}
    </>
  );
}

function Doing({ projection, unit }: Pick<DetailProps, "projection" | "unit">) {
  const { rate, position, size, version } = projection;
  return (
    <div class="card">
      <Facts>
        <Fact name={say("state")}>
          <State projection={projection} />
        </Fact>
        <Fact name={say("lag")}>{lagOf(projection)}</Fact>
        <Fact name={unit === "events" ? say("rate") : say("rateBytes")}>{rate ?? "–"}</Fact>
        <Fact name={say("version")}>{projection.kind === "reaction" ? "–" : version}</Fact>
        <Fact name={say("position")}>
          {position === null ? (
            "–"
          ) : (
            <a href={addressOf("/events", { from: position })}>
              <code>{position}</code>
            </a>
          )}
        </Fact>
        <Fact name={say("size")}>{sizeOf(size)}</Fact>
      </Facts>
    </div>
  );
}

function Behind({ samples }: Pick<DetailProps, "samples">) {
  const most = samples.reduce((greatest, { seconds }) => Math.max(greatest, seconds), 0);
  return (
    <section class="stack">
      <h2>{say("graph")}</h2>
      {samples.length < 2 ? (
        <p class="quiet">{say("graphNone")}</p>
      ) : (
        <>
          <Graph samples={samples} />
          <p class="quiet">{say("graphTwin", { seconds: samples.at(-1)?.seconds ?? 0, most })}</p>
        </>
      )}
    </section>
  );
}

function UnderWay({ underWay }: { readonly underWay: NonNullable<Projection["under_way"]> }) {
  const { version, phase, progress, seconds_left: left, comparison, last_error: error } = underWay;
  const name = say("underWay", { version });
  return (
    <section class="stack">
      <h2>{name}</h2>
      <div class="row">
        <span class="state warn">{say(phase)}</span>
        <progress value={progress} max={1} aria-label={name} />
        <span>{new Intl.NumberFormat(locale.value, { style: "percent" }).format(progress)}</span>
        {left !== null && <span>{say("left", { seconds: left })}</span>}
      </div>
      {comparison !== null && <Comparison comparison={comparison} />}
      {error !== null && <Fault>{error.message}</Fault>}
    </section>
  );
}

function LastError({ error }: { readonly error: NonNullable<Projection["last_error"]> }) {
  const { at, message, recovered_at: over } = error;
  return (
    <section class="stack">
      <h2>{say("lastError")}</h2>
      <div class={over === null ? "fault" : "notice"}>
        <p>{message}</p>
        <p class="quiet">
          <Instant at={at} />
          {over !== null && (
            <>
              {" · "}
              {say("over")} <Instant at={over} />
            </>
          )}
        </p>
      </div>
    </section>
  );
}

function Kept({ kept }: Pick<Projection, "kept">) {
  return (
    <section class="stack">
      <h2>{say("kept")}</h2>
      <ul class="stack plain-list">
        {kept.map(({ version, size }) => (
          <li key={version} class="row">
            <span>
              {say("version")} {version}
            </span>
            <span class="quiet">{sizeOf(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const bytesPerMegabyte = 1_000_000;

function sizeOf(size: Projection["size"]): string {
  if (size === null) return "–";
  const { amount, unit } = size;
  return unit === "documents"
    ? say("documents", { count: amount })
    : say("bytes", { count: Math.round((amount / bytesPerMegabyte) * 10) / 10 });
}
