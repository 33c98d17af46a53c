import { words } from "../../words.js";
import type { Link, Place } from "./links.js";
import type { GraphNode } from "./picture/graph.js";

/** The sentences of the screen Access that more than one of its parts says. */
export const say = words({
  en: {
    document: "Document",
    person: "Person",
    group: "Group",
    everybody: "Everybody registered",
    absent: "not there",
    unregistered: "not registered",
    grants: "grants",
    contains: "contains",
    registers: "registers",
    grant: "{from} grants access to {to}.",
    grantByDefault: "{from} grants access to {to}, because it was sent without permissions.",
    nesting: "{from} contains {to}.",
    membership: "{from} contains {to}.",
    registration: "{to} is registered on {from}.",
    missingLink: "Missing: {from} → {to}",
    missing: "missing",
    made: "{when} by {who}",
    everybodyOn: "everybody registered on {datasource}",
    groupNamed: "the group {name}",
    people: "{count} people",
    people_one: "1 person",
    documents: "{count} documents",
    documents_one: "1 document",
    groups: "{count} groups",
    groups_one: "1 group",
    now: "now",
    more: "Show more",
    open: "Open",
    close: "Close",
    anonymous: "Open to everybody registered",
    anonymousByDefault: "Open to everybody registered, by the datasource's default",
    directly: "Named directly",
    shown: "{count} of {total}",
    mostShown: "The picture holds the first {count} of {total} links. The list below is whole.",
  },
  de: {
    document: "Dokument",
    person: "Person",
    group: "Gruppe",
    everybody: "Alle Registrierten",
    absent: "gibt es nicht",
    unregistered: "nicht registriert",
    grants: "gewährt",
    contains: "enthält",
    registers: "registriert",
    grant: "{from} gewährt {to} Zugriff.",
    grantByDefault: "{from} gewährt {to} Zugriff, weil es ohne Berechtigungen kam.",
    nesting: "{from} enthält {to}.",
    membership: "{from} enthält {to}.",
    registration: "{to} ist auf {from} registriert.",
    missingLink: "Es fehlt: {from} → {to}",
    missing: "fehlt",
    made: "{when} durch {who}",
    everybodyOn: "allen, die auf {datasource} registriert sind,",
    groupNamed: "die Gruppe {name}",
    people: "{count} Personen",
    people_one: "1 Person",
    documents: "{count} Dokumente",
    documents_one: "1 Dokument",
    groups: "{count} Gruppen",
    groups_one: "1 Gruppe",
    now: "jetzt",
    more: "Mehr zeigen",
    open: "Öffnen",
    close: "Schließen",
    anonymous: "Offen für alle Registrierten",
    anonymousByDefault: "Offen für alle Registrierten, nach der Vorgabe der Datenquelle",
    directly: "Selbst genannt",
    shown: "{count} von {total}",
    mostShown: "Das Bild enthält die ersten {count} von {total} Verbindungen. Die Liste unten ist vollständig.",
  },
});

/** The part of a document's or group's name behind its datasource, and the datasource; others have none. */
export function splitName({ kind, name }: Pick<Place, "kind" | "name">): {
  readonly own: string;
  readonly datasource: string | null;
} {
  const slash = name.indexOf("/");
  if (kind === "person" || kind === "everybody" || slash === -1) return { own: name, datasource: null };
  return { own: name.slice(slash + 1), datasource: name.slice(0, slash) };
}

/** A place in a sentence. */
export function inSentence(place: Pick<Place, "kind" | "name">): string {
  if (place.kind === "everybody") return say("everybodyOn", { datasource: place.name });
  return place.kind === "group" ? say("groupNamed", { name: splitName(place).own }) : place.name;
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** What a link says, as a sentence. */
export function sentenceOfLink({ link, from, to, by_default: isByDefault }: Link): string {
  const places = { from: link === "registration" ? from.name : inSentence(from), to: inSentence(to) };
  const sentence = say(link === "grant" && isByDefault === true ? "grantByDefault" : link, places);
  return from.kind === "group" ? capital(sentence) : sentence;
}

const verbs = { grant: "grants", nesting: "contains", membership: "contains", registration: "registers" } as const;

/** The same in a word or two. */
export const verbOf = ({ link }: Link): string => say(verbs[link]);

const counted = { person: "people", everybody: "people", document: "documents", group: "groups" } as const;

/** How many of what. */
export const countOf = (of: Place["kind"], count: number): string => say(counted[of], { count });

/** What kind of place it is, and on which datasource. */
export function kindOf(node: GraphNode): string {
  if (node.kind === "fan") return "";
  const { datasource } = splitName({ kind: node.kind, name: node.name });
  const absent = node.isAbsent ? [say(node.kind === "person" ? "unregistered" : "absent")] : [];
  return [say(node.kind), ...(datasource === null ? [] : [datasource]), ...absent].join(" · ");
}

/** What a place is called. */
export function nameOf(node: GraphNode): string {
  if (node.fan !== null) return countOf(node.fan.of, node.fan.count);
  return splitName({ kind: node.kind === "fan" ? "group" : node.kind, name: node.name }).own;
}

/** By what a person sees a document, in a few words. */
export function viaText(via: {
  readonly grant: "anonymous" | "user" | "group";
  readonly groups: readonly string[];
  readonly by_default?: true;
}): string {
  if (via.grant === "group") return via.groups.join(" → ");
  if (via.grant === "user") return say("directly");
  return say(via.by_default === true ? "anonymousByDefault" : "anonymous");
}
