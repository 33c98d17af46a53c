/** A text in German and English whose every word is known, as parts from which documents are made. */
export interface Sample {
  readonly title: string;
  readonly author: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly list: readonly string[];
  readonly table: readonly (readonly string[])[];
  readonly note: string;
}

const vocabulary = (
  "Die Reisekosten werden nach der Rückkehr abgerechnet Belege sind innerhalb von vier Wochen einzureichen Übernachtungen " +
  "größere Beträge müssen vorher genehmigt sein the travel expenses are settled after the return receipts have to be " +
  "handed in within four weeks overnight stays larger amounts need approval beforehand Straße Maß naïve café Łódź Москва"
).split(" ");

/** The same words on every machine. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield Math.floor(state / 65_536);
  }
}

/** Made-up German and English sections, and what a reader should find of them: the same on every machine. */
/** Words in an order that nobody could guess, and that is the same on every machine. */
export function makeSample(sections: number): Sample {
  const random = numbers(7);
  const next = (below: number): number => random.next().value % below;
  const words = (count: number): string =>
    Array.from({ length: count }, () => vocabulary[next(vocabulary.length)]).join(" ");
  const sentence = (): string => `${words(6 + next(12))}.`;
  return {
    title: "Reisekosten und Leave",
    author: "Ada Lovelace",
    sections: Array.from({ length: sections }, (_, at) => ({
      heading: `Kapitel ${at + 1} ${words(3)}`,
      paragraphs: Array.from({ length: 4 }, () => [sentence(), sentence(), sentence()].join(" ")),
      list: Array.from({ length: 4 }, () => words(6)),
      table: Array.from({ length: 4 }, () => [words(1), words(2), String(next(10_000))]),
      note: `Fußnote ${sentence()}`,
    })),
  };
}

/** The text, line by line, in the order of reading. */
export const sampleLines = ({ sections }: Sample): readonly string[] =>
  sections.flatMap(({ heading, paragraphs, list, table, note }) => [
    heading,
    ...paragraphs,
    note,
    ...list,
    ...table.flat(),
  ]);

/** As Markdown, from which other programs make documents. */
export const sampleMarkdown = (sample: Sample): string =>
  [
    `---\ntitle: ${sample.title}\nauthor: ${sample.author}\nlang: de\n---`,
    ...sample.sections.flatMap(({ heading, paragraphs, list, table, note }, at) => [
      `# ${heading}`,
      ...paragraphs.slice(0, -1),
      `${paragraphs.at(-1)}[^n${at}]`,
      `[^n${at}]: ${note}`,
      list.map((item) => `- ${item}`).join("\n"),
      ["| a | b | c |", "|---|---|---|", ...table.map((row) => `| ${row.join(" | ")} |`)].join("\n"),
    ]),
  ].join("\n\n");
