import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "../../api/client.js";

/** Where read models stand, as the API tells it. */
export type Standing = Schemas["ProjectionsAnswer"];
/** Where one of them stands. */
export type Projection = Standing["projections"][number];

/** What requests about one of them hold: it is named as the service told it. */
export const pathOf = (name: string) => ({ params: { path: { name: name as never } } });

/** How far one was behind at a moment, in seconds and in events. */
export interface Sample {
  /** Epoch seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly events: number;
}

/** What came so far, and whether more comes. */
export interface Live {
  readonly standing: Standing | null;
  /** By the name of the read model, the oldest first. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** `lost`: the connection is; the browser tries again by itself. `refused`: it does not. */
  readonly connection: "opening" | "open" | "lost" | "refused";
  readonly again: () => void;
}

const address = "/api/admin/projections/live";
const everyMs = 1_000;
/** Ten minutes. */
const longestSeconds = 600;

/** Follows where read models stand for as long as the component is there. */
export function useLive(): Live {
  const [round, setRound] = useState(0);
  const [live, setLive] = useState<Omit<Live, "again">>({ standing: null, samples: new Map(), connection: "opening" });
  useEffect(() => {
    const source = new EventSource(address);
    source.onmessage = ({ data }) => {
      const standing = JSON.parse(String(data)) as Standing;
      setLive(({ samples }) => ({ standing, samples: withSamples(samples, standing), connection: "open" }));
    };
    source.onerror = () => {
      const connection = source.readyState === EventSource.CLOSED ? "refused" : "lost";
      setLive((known) => ({ ...known, connection }));
    };
    // While nothing changes, nothing comes: the lag is still what it was.
    const ticking = setInterval(
      () =>
        setLive((known) =>
          known.standing === null || known.connection !== "open"
            ? known
            : { ...known, samples: withSamples(known.samples, known.standing) },
        ),
      everyMs,
    );
    return () => {
      clearInterval(ticking);
      source.close();
    };
  }, [round]);
  return { ...live, again: () => setRound((count) => count + 1) };
}

function withSamples(known: Live["samples"], { projections }: Standing): Live["samples"] {
  const at = Date.now() / 1_000;
  return new Map(
    projections.map(({ name, lag }) => {
      const samples = known.get(name) ?? [];
      if (lag === null) return [name, samples];
      const recent = samples.filter((sample) => sample.at > at - longestSeconds);
      return [name, [...recent, { at, seconds: lag.seconds, events: lag.events }]];
    }),
  );
}
