import { tokensIn } from "./queryTokens.js";
import { wordOf } from "./words.js";

/*
 * Words that everybody writes about everything: they name no subject by themselves. How few documents hold one tells
 * nothing where there are few documents. Words of time, number and order, of people and offices in general, of doing in
 * general, and of how things are.
 */

const german = `
jahr monat woche tag stunde minute sekunde zeit datum uhr moment morgen mittag nachmittag abend nacht heute gestern
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag wochenende
januar februar märz april mai juni juli august september oktober november dezember
frühling frühjahr sommer herbst winter anfang ende beginn dauer frist termin quartal stunden
eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend million dutzend hälfte
erste zweite dritte vierte fünfte letzte nächste vorige einmal zweimal mehrmals wenig wenige mehrere einige
zahl anzahl menge größe höhe länge breite teil stück art sorte form reihe liste nummer grad prozent euro preis wert summe
mensch person leute mann frau herr dame kind freund kollege kollegin mitarbeiter mitarbeiterin chef chefin name familie
mutter vater eltern sohn tochter bruder schwester kunde kundin partner gast nachbar team gruppe mitglied
firma unternehmen betrieb abteilung büro arbeit arbeiten job stelle aufgabe projekt bericht sache ding thema frage antwort
problem lösung grund ziel zweck idee beispiel fall information auskunft hinweis angabe daten dokument unterlage datei text
seite bild brief ort platz stadt land straße haus gebäude raum zimmer tür tisch weg welt schule kurs unterricht lehrer
ergebnis plan regel vorgabe möglichkeit wunsch bedarf hilfe anfrage rückfrage ansprechpartner kontakt angebot leben
machen tun geben gibt bekommen kriegen holen nehmen gehen kommen fahren laufen bringen stehen liegen sitzen stellen legen
setzen halten bleiben finden suchen sehen schauen zeigen wissen kennen denken glauben meinen verstehen sagen reden sprechen
fragen antworten erklären schreiben lesen hören rufen melden schicken senden brauchen benötigen nutzen benutzen verwenden
kaufen verkaufen zahlen bezahlen kosten beantragen anfordern einreichen abgeben anmelden abmelden ändern wechseln öffnen
schließen beginnen anfangen aufhören enden dauern warten helfen arbeiten lernen prüfen reparieren bauen passieren gehören
gelten heißen bedeuten funktionieren klappen versuchen wollen mögen erhalten bestellen liefern erledigen
gut besser schlecht groß klein lang kurz hoch niedrig neu alt jung früh spät schnell langsam leicht schwer einfach wichtig
richtig falsch möglich nötig erlaubt frei voll leer ganz halb viel genau gleich ähnlich verschieden eigen fertig offen
geschlossen oben unten links rechts vorne hinten innen außen überall irgendwo irgendwie irgendwann zuhause daheim oft
manchmal selten bald vorher nachher rechtzeitig schriftlich mündlich persönlich direkt sofort eigentlich bitte danke hallo
ungefähr leider gern gerne vielleicht
`;

const english = `
year month week day hour minute second time date moment morning noon afternoon evening night today tomorrow yesterday
monday tuesday wednesday thursday friday saturday sunday weekend
january february march april may june july august september october november december
spring summer autumn fall winter start end beginning deadline quarter period
two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand million dozen half third
first last next previous twice several little few lot number amount quantity size height length width part piece kind
sort type form list row degree percent pound euro dollar price value sum total
person people human man woman boy girl child friend colleague employee staff boss manager name family mother father parent
son daughter brother sister customer client partner guest neighbour team group member
company firm business department office work job position task project report thing matter topic subject question answer
problem solution reason goal aim purpose idea example case information info detail data document file text page picture
letter place location city town country street road house building room door table desk way world school class course
lesson teacher result plan rule option possibility wish need help request contact offer life
make do give get take go come drive run bring stand lie sit put set keep hold stay find look search see watch show know
think believe mean understand say tell talk speak ask reply explain write read hear call send use buy sell pay cost apply
submit order deliver change switch open close begin stop finish last wait try want like learn teach check repair fix build
happen belong work receive let leave move turn meet
good better best bad worse big large small long short high low new old young early late fast quick slow easy simple hard
difficult important right wrong possible necessary free full empty whole exact same similar different own ready open
closed top bottom left front back inside outside everywhere somewhere anywhere anything something everything nothing
anyone someone everyone often sometimes always never soon later home away please thanks hello maybe really about
`;

const termsIn = (words: string, language: "de" | "en"): readonly string[] =>
  words.split(/\s+/).flatMap((word) => (word === "" ? [] : (tokensIn(word)[0]?.surface.word.termIn(language) ?? [])));

let terms: ReadonlySet<string> | null = null;

/** Made when first asked for: stemming takes some milliseconds. */
const generalTerms = (): ReadonlySet<string> =>
  (terms ??= new Set([...termsIn(german, "de"), ...termsIn(english, "en")]));

/** A character, or a number as years and hours are. */
const shortest = /^(?:.|\d{1,4})$/u;

/** Whether what was typed is made of words alone that name no subject, in one of the languages or the other. */
export const isGeneral = (typed: string): boolean =>
  tokensIn(typed).every(({ surface: { word } }) => shortest.test(word.text) || isGeneralWord(word.text));

function isGeneralWord(text: string): boolean {
  const word = wordOf(text);
  return generalTerms().has(word.termIn("de")) || generalTerms().has(word.termIn("en"));
}
