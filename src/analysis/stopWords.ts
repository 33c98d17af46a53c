import { foldDigraphs, foldWord } from "./folding.js";
import type { Language } from "../shared/texts.js";

/** Function words: articles, pronouns, prepositions, conjunctions, auxiliaries, question words. */
const german = `
der die das den dem des ein eine einer eines einem einen kein keine keiner keines keinem keinen
ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meiner meines meinem meinen
dein deine deiner deines deinem deinen sein seine seiner seines seinem seinen ihre ihrer ihres ihrem ihren
unser unsere unserer unseres unserem unseren euer eure eurer eures eurem euren
dieser diese dieses diesem diesen jener jene jenes jenem jenen jeder jede jedes jedem jeden alle aller alles allem allen
mancher manche manches manchem manchen solcher solche solches solchem solchen
welcher welche welches welchem welchen derselbe dieselbe dasselbe denselben demselben desselben
wer wen wem wessen was wo wann warum wieso weshalb wie wohin woher womit wodurch worauf woran worin wofür wozu
viel viele vieler vieles vielem vielen
und oder aber denn sondern doch sowie als wenn weil dass daß ob obwohl damit indem nachdem bevor während bis falls sobald
in im an am auf aus bei beim mit nach von vom zu zum zur für durch gegen ohne um unter über vor hinter zwischen neben
seit ab innerhalb außerhalb wegen trotz
bin bist ist sind seid war warst waren wart sei wäre wären gewesen
habe hast hat haben habt hatte hattest hatten hattet hätte hätten gehabt
werde wirst wird werden werdet wurde wurdest wurden wurdet würde würden geworden worden
kann kannst können könnt konnte konnten könnte könnten muss musst müssen müsst musste mussten müsste müssten
soll sollst sollen sollt sollte sollten will willst wollen wollt wollte wollten darf darfst dürfen dürft durfte durften
mag möchte möchten lassen lässt
nicht nichts nie noch nur schon so sehr auch dann da dort hier hin her ja nein nun jetzt immer wieder mehr man etwas
also dabei dafür dagegen daher damals danach daran darauf daraus darin darüber darum davon dazu
bzw zb usw
`;

const english = `
a an the this that these those
i me my mine myself you your yours yourself he him his himself she her hers herself it its itself
we us our ours ourselves they them their theirs themselves one
who whom whose which what when where why how
and or but nor so yet if because as until while although though than whether
of at by for with about against between into through during before after above below to from up down in out on off over under
within without upon among per via
am is are was were be been being have has had having do does did doing done
will would shall should can could may might must ought
not no only own same too very just also there here then once again further any all both each few more most other some such
many much now ever
s t d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn can't cannot
`;

const listOf = (words: string): ReadonlySet<string> =>
  new Set(
    words
      .split(/[\s']+/)
      .filter(Boolean)
      .map((word) => foldDigraphs(foldWord(word))),
  );

const lists: Readonly<Record<Language, ReadonlySet<string>>> = { de: listOf(german), en: listOf(english) };

/** True where the folded word says little in that language. Stop words are indexed, and queries leave them out. */
export const isStopWord = (word: string, language: Language): boolean => lists[language].has(foldDigraphs(word));
