import { once } from "../shared/waiting.js";
import { foldDigraphs, foldWord } from "./folding.js";

/**
 * Verbs that change their vowel: the infinitive, and forms that Snowball does not bring to its stem. A form that begins
 * with a hyphen counts behind a prefix alone (`unterbrochen`; `Bund` is another word).
 */
const strongVerbs = `
befehlen befiehlt befahl befohlen|beginnen begann begonnen|bergen birgt barg|biegen gebogen|bieten bot geboten
binden gebunden -bunden|blasen bläst blies|bleiben blieb geblieben|brechen bricht brach gebrochen -brochen
brennen brannte gebrannt|bringen brachte gebracht|denken dachte gedacht|dringen gedrungen -drungen
empfangen empfängt empfing|empfehlen empfiehlt empfahl empfohlen|empfinden empfand empfunden|essen gegessen
fahren gefahren|fallen fällt fiel gefallen|fangen fängt gefangen|finden fand gefunden -funden|fliegen flog geflogen
fliehen floh geflohen|fließen geflossen|geben gibt gab gegeben|gelingen gelang gelungen
gelten gilt galt gegolten|geschehen geschieht geschah|gewinnen gewann gewonnen|graben gräbt gegraben
greifen griff gegriffen|halten hielt gehalten|hängen hing gehangen|heben hob gehoben|heißen hieß
helfen hilft half geholfen -holfen|kennen gekannt|kommen kam gekommen|laden lädt lud geladen
lassen lässt ließ gelassen|laufen läuft gelaufen|leiden litt gelitten|leihen lieh geliehen|lesen liest gelesen
meiden mied gemieden|messen misst gemessen|nehmen nimmt nahm genommen -nommen
nennen nannte genannt|raten riet|reiben gerieben|reißen gerissen|rennen rannte gerannt|rufen rief gerufen
scheiden schied geschieden|scheinen schien|schieben schob geschoben|schlafen schläft schlief geschlafen
schlagen schlägt schlug geschlagen|schließen schloss geschlossen|schneiden geschnitten
schreiben schrieb geschrieben|schreiten schritt|schweigen schwieg|schwören geschworen|sehen sieht sah gesehen
senden sandte gesandt|singen gesungen|sinken gesunken|sitzen gesessen -sessen
sprechen spricht sprach gesprochen -sprochen|springen gesprungen|stechen sticht gestochen|stehlen stiehlt gestohlen
steigen stieg gestiegen|sterben stirbt starb gestorben -storben|stoßen stößt stieß gestoßen|streichen gestrichen
streiten gestritten|tragen trägt trug getragen|treffen trifft traf getroffen -troffen|treiben trieb getrieben
treten tritt trat getreten|trinken getrunken|verderben verdirbt verdarb verdorben|vergessen vergisst vergaß
verlieren verlor|verschwinden verschwand verschwunden|waschen wäscht wusch gewaschen|weisen wies gewiesen
wenden wandte gewandt|werben wirbt warb geworben -worben|werfen wirft warf geworfen -worfen|wissen gewusst
ziehen zog gezogen|zwingen gezwungen -zwungen
`;

/** Stems of other words that read as a form of a verb: Abschied, Betrieb, Gehalt. */
const otherWords = `
abschied andacht angemess aufgab bedacht befund begab begriff betrieb betrug bot brecht erbrecht gefahr gefall gehalt
gelass gelauf geschloss getrieb gewandt griff herzog schien schloss sprach verabschied verdacht verwandt werft wies
`;

const prefixes = `
ab an auf aus be bei dar durch ein ent er fehl fest fort frei her heran heraus hervor hin hinaus hinein hinter hinzu
los mit miss nach nieder statt teil über um unter ver vor voran voraus vorbei weg weiter wider wieder zer zu zurück
zusammen
`;

/** `veranlasst` has two of them. */
const mostPrefixes = 2;

const listed = (words: string): readonly string[] => words.trim().split(/\s+/).map(foldWord);
/** Marks a form that counts behind a prefix alone. */
const bound = "-";
/** What Snowball cuts off the words above; it takes ten times as long. */
const ending = /(?:(?<=i)eren|(?<!i)en|e)$/;
const stemOf = (word: string): string => foldDigraphs(foldWord(word).replace(ending, ""));

/** After these, German puts an e before its t: findet, reitet. */
const withLinkingE = /[dt]$/;

/** `schreibt`, of `schreiben`. */
function presentOf(infinitive: string): string {
  const root = infinitive.replace(/e?n$/, "");
  return root + (withLinkingE.test(root) ? "et" : "t");
}

function add(forms: Map<string, string>, form: string, infinitive: string): void {
  const stem = stemOf(form);
  if (!forms.has(stem)) forms.set(stem, stemOf(infinitive));
}

interface Tables {
  /** Stems of forms, and the stem of their infinitive. */
  readonly byForm: ReadonlyMap<string, string>;
  /** The same of forms that count behind a prefix alone. */
  readonly byBoundForm: ReadonlyMap<string, string>;
  /** Stems of forms that do not begin as the infinitive does, by the stem of that. */
  readonly otherwise: ReadonlyMap<string, readonly string[]>;
  readonly others: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

/** Made where a word is stemmed first: many threads stem none. */
const tables = once((): Tables => {
  const [byForm, byBoundForm] = [new Map<string, string>(), new Map<string, string>()];
  for (const verb of strongVerbs.trim().split(/[|\n]/)) {
    const [infinitive = "", ...forms] = verb.split(" ");
    for (const form of [...forms, presentOf(infinitive)])
      if (form.startsWith(bound)) add(byBoundForm, form.slice(1), infinitive);
      else add(byForm, form, infinitive);
  }
  return {
    ...{ byForm, byBoundForm },
    otherwise: beginningOtherwise(byForm),
    others: new Set(listed(otherWords)),
    prefixes: listed(prefixes),
  };
});

const shortestForm = 3;
/** `installiert`, `installieren`: all verbs of this kind are regular. */
const foreignVerb = /(?<=...i)ert$/;

/**
 * The stem of the verb's infinitive, for the stem of one of its forms (`getrag` and `trug`: `trag`; `eingetrag`:
 * `eintrag`); another stem as it is. Nouns that are made of a form meet the verb as well (`Angebot`, anbieten).
 *
 * @param stem Snowball's, of a folded word, with umlauts written as one letter.
 */
export function verbStem(stem: string): string {
  if (tables().others.has(stem)) return stem;
  return tables().byForm.get(stem) ?? behindPrefix(stem, mostPrefixes) ?? stem.replace(foreignVerb, "");
}

function behindPrefix(stem: string, most: number): string | null {
  if (most === 0) return null;
  const { byForm, byBoundForm } = tables();
  for (const prefix of tables().prefixes) {
    if (!stem.startsWith(prefix) || stem.length < prefix.length + shortestForm) continue;
    const form = stem.slice(prefix.length);
    const verb = byForm.get(form) ?? byBoundForm.get(form) ?? behindPrefix(form, most - 1);
    if (verb !== null) return prefix + verb;
  }
  return null;
}

/** Stems that {@link verbStem} turns into this one, and that begin with other letters (`getrag`, of `trag`). */
export const verbFormsBeginningOtherwise = (stem: string): readonly string[] => tables().otherwise.get(stem) ?? [];

/** Pairs of a form and the stem of its base, of those that begin with other letters: the forms, by that stem. */
export function beginningOtherwise(
  forms: Iterable<readonly [form: string, base: string]>,
): ReadonlyMap<string, readonly string[]> {
  const byBase = new Map<string, string[]>();
  for (const [form, base] of forms)
    if (form.slice(0, 2) !== base.slice(0, 2)) byBase.set(base, [...(byBase.get(base) ?? []), form]);
  return byBase;
}
