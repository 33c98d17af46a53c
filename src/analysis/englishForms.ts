import { stem as porter } from "porter2";
import { once } from "../shared/waiting.js";
import { beginningOtherwise } from "./germanForms.js";

/** Words by their base, and forms that Porter's stemmer does not bring to its stem. */
const irregular = `
arise arose arisen|awake awoke awoken|bear borne|become became|begin began begun|bend bent|bleed bled
blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught
choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fallen|feed fed|fight fought|flee fled|fly flew flown
forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten|give gave given|grow grew grown|hang hung|hear heard
hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|learn learnt|lend lent
lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|override overrode overridden
oversee oversaw overseen|overtake overtook overtaken|pay paid|rebuild rebuilt|repay repaid|ride ridden
ring rang rung|rise risen|run ran|say said|see seen|seek sought|sell sold|send sent|shake shook shaken
shine shone|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
speak spoken|speed sped|spell spelt|spend spent|spill spilt|spin spun|stand stood|steal stole stolen|stick stuck
sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung
take took taken|teach taught|tear torn|tell told|throw threw thrown|undergo underwent undergone
understand understood|undertake undertook undertaken|undo undid undone|uphold upheld|wake woken|wear wore worn
weave wove woven|weep wept|win won|withdraw withdrew withdrawn|withhold withheld|write wrote written
child children|man men|woman women|chairman chairmen|chairwoman chairwomen|businessman businessmen
businesswoman businesswomen|salesman salesmen|saleswoman saleswomen|spokesman spokesmen
spokeswoman spokeswomen|craftsman craftsmen|fireman firemen|policeman policemen|policewoman policewomen
workman workmen|foot feet|tooth teeth|mouse mice|goose geese|criterion criteria|phenomenon phenomena
analyse analysis analyses|basis bases|crisis crises|thesis theses|hypothesis hypotheses|diagnosis diagnoses
synthesis syntheses|axis axes|index indices|appendix appendices|matrix matrices|vertex vertices
curriculum curricula|datum data|memorandum memoranda|stimulus stimuli|nucleus nuclei|fungus fungi|radius radii
bacterium bacteria
`;

interface Tables {
  /** By form. */
  readonly bases: ReadonlyMap<string, string>;
  /** Forms that do not begin as their base does, by the stem of that. */
  readonly otherwise: ReadonlyMap<string, readonly string[]>;
}

/** Made where a word is stemmed first: many threads stem none. */
const tables = once((): Tables => {
  const bases = irregular
    .trim()
    .split(/[|\n]/)
    .flatMap((word) => {
      const [base = "", ...forms] = word.split(" ");
      return forms.map((form) => [form, base] as const);
    });
  return {
    bases: new Map(bases),
    otherwise: beginningOtherwise(bases.map(([form, base]) => [form, porter(base)] as const)),
  };
});

/** The base of an irregular form (`sent`: `send`, `children`: `child`); another folded word as it is. */
export const baseOf = (word: string): string => tables().bases.get(word) ?? word;

/** Irregular forms of the words with this stem that begin with other letters (`brought`, of `bring`). */
export const formsBeginningOtherwise = (stem: string): readonly string[] => tables().otherwise.get(stem) ?? [];

/** Ends of stems as they are spelled in Britain, and as in America. */
const spellings: readonly (readonly [RegExp, string])[] = [
  // analyse
  [/(?<=[aeiou]l)ys$/, "yz"],
  // colour, favourite
  [/(?<=..[^aeou])our(?=$|it$)/, "or"],
  // catalogue
  [/(?<=...og)u$/, ""],
  // licence, defence
  [/(?<=...en)c$/, "s"],
  // centre, theatre
  [/^(cent|theat|met|fib|lit)r$/, "$1er"],
  // kilometre, whose other spelling loses its end as an ending
  [/(?<=..met)r$/, ""],
  [/^programm$/, "program"],
  [/^grey$/, "gray"],
];

/** organise, whose other spelling loses its end as an ending. */
const organise = /(?<=...[^aeiou])is$/;
/** What is spelled with an s everywhere. */
const alwaysWithS =
  /^(?:advert|chast|circumc|compr|comprom|desp|enterpr|exerc|franch|improv|merchand|otherw|parad|superv|surpr|telev)is$/;

/** Porter's stem of a word as America spells it: colour and color, organisation and organization meet. */
export function americanStem(stem: string): string {
  if (organise.test(stem) && !alwaysWithS.test(stem)) return porter(stem.replace(organise, "ize"));
  return spellings.reduce((spelled, [pattern, other]) => spelled.replace(pattern, other), stem);
}
