import { withoutTrailing } from "../shared/texts.js";

/** Parameters that say where a visitor came from, and nothing of the page. */
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|gad_source|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_cid|mc_eid|mkt_tok|srsltid|_hsenc|_hsmi|vero_id|oly_anon_id|oly_enc_id|rb_clickid|s_cid|ref_src|ref_url|cmpid|wt_mc|pk_campaign|pk_kwd|mtm_\w+|spm)$/i;

/** The address of a page, without what tracks the person who opens it; null where it is no address of the web. */
export function pageAddress(url: string): URL | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (address.protocol !== "http:" && address.protocol !== "https:") return null;
  if (address.username !== "" || address.password !== "") return null;
  const tracks = [...address.searchParams.keys()].filter((name) => tracking.test(name));
  // Taking nothing away leaves the others as they were written.
  for (const name of tracks) address.searchParams.delete(name);
  return address;
}

const withoutWww = (host: string): string => host.replace(/^www\./, "");

/** Equal for addresses that are taken for the same page. */
export function sameness({ host, pathname, searchParams }: URL): string {
  const parameters = new URLSearchParams(searchParams);
  parameters.sort();
  return `${withoutWww(host)}${withoutTrailing(pathname, "/")}?${parameters.toString()}`;
}

/** Whether a page lies on one of these sites, or below one: hosts, each with a path or without. */
export function isOnSites({ hostname, pathname }: URL, sites: readonly string[] | null): boolean {
  if (sites === null) return true;
  const host = withoutWww(hostname);
  return sites.some((site) => {
    const [siteHost = "", ...path] = withoutWww(site).split("/");
    const isBelow = path.length === 0 || `${pathname}/`.startsWith(`/${path.join("/")}/`);
    return isBelow && (host === siteHost || host.endsWith(`.${siteHost}`));
  });
}

/** The hosts of sites, for engines, which know no paths; distinct. */
export const hostsOf = (sites: readonly string[] | null): readonly string[] | null =>
  sites && [...new Set(sites.map((site) => site.split("/", 1).join("")))];

/**
 * What a client means by a site: `example.com`, `example.com/docs`, or the same as an address. Undefined where it is
 * none: what goes into an engine's query is a host and nothing else.
 */
export function toSite(site: string): string | undefined {
  const written = /^https?:\/\//i.test(site) ? site : `https://${site}`;
  if (/[\s@?#]/.test(site) || !URL.canParse(written)) return undefined;
  const { hostname, pathname, port } = new URL(written);
  const isHost = port === "" && /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(hostname);
  return isHost ? withoutTrailing(hostname + pathname, "/") : undefined;
}
