import { parse } from "yaml";
import { textOf } from "./repositoryFiles.js";

/** What the tests look at of a service. Everything is written in the short form where Compose has one. */
export interface ComposeService {
  readonly build?: string;
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly start_period?: string };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

type Named<Value> = Readonly<Record<string, Value>>;

/** A Compose file, its merge keys resolved. */
export interface Compose {
  readonly services: Named<ComposeService>;
  readonly volumes?: Named<null>;
  readonly networks?: Named<{ readonly internal?: boolean } | null>;
  readonly secrets?: Named<{ readonly file: string }>;
  readonly configs?: Named<{ readonly file?: string; readonly content?: string }>;
}

/** The files that stand on their own. */
export const composeFiles = ["docker-compose.yml", "docker-compose.cluster.yml"] as const;

/** Reads a Compose file of the repository. */
export const readCompose = (file: string): Compose => parse(textOf(file), { merge: true }) as Compose;

/** As Compose fills in what the environment does not say: `${NAME:-default}`, and `$$` for a dollar. */
export const withDefaults = (value: string): string =>
  value.replace(/\$\{\w+:-([^}]*)\}|\$\$/g, (written, standard?: string) =>
    written === "$$" ? "$" : (standard ?? ""),
  );
