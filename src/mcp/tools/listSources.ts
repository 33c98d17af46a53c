import { z } from "zod";
import { personOf } from "../../http/apiContext.js";
import type { Datasource } from "../../events/datasource.js";
import { valueOf } from "../../http/envelopes.js";
import { readsHere, tool } from "./tool.js";

interface Named {
  readonly source: string;
  readonly name: string;
}

/** Datasources, with their subs, in the words that the `data_source` filter takes. */
export const listSources = tool({
  name: "list_sources",
  title: "List sources",
  description: "Lists the sources whose documents this person can find, and their parts. `search` takes them.",
  input: z.object({}),
  output: z.object({
    sources: z.array(
      z.object({ source: z.string().describe("What `search` takes."), name: z.string().describe("For people.") }),
    ),
  }),
  annotations: readsHere,
  async call(context) {
    const asked = { person: personOf(context), atLeast: context.state.atLeast };
    const datasources = valueOf(await context.services.queries.listSources(asked));
    return { sources: datasources.flatMap(namesWithin) };
  },
});

function namesWithin({ name: source, displayName: name, subs }: Datasource): readonly Named[] {
  const whole: Named = { source, name };
  const parts = subs.flatMap((sub) => {
    const part = within(whole, sub);
    return [part, ...sub.subs.map((child) => within(part, child))];
  });
  return [whole, ...parts];
}

const within = (outer: Named, { key, name }: { readonly key: string; readonly name: string }): Named => ({
  source: `${outer.source}__${key}`,
  name: `${outer.name} / ${name}`,
});
