import { expect } from "chai";
import { SearchScenario, type SearchIndexUnderTest } from "./searchIndexScenario.js";

/** How many other documents somebody may see. */
const sizes = [0, 3, 13, 103, 303] as const;

/** What every office writes: each word stands in most of the other documents. */
const usual = "Abteilung Bericht Kunde Vertrag Lieferung Sitzung Planung schriftlich rechtzeitig meinen".split(" ");

/** Few are in English, so that words which are common in German are rare in these. */
function textOf(at: number): string {
  const words = usual.filter((_word, index) => (at + index) % 4 > 0).join(" ");
  return `${at % 150 === 14 ? "This is for all of us and it is done so:" : "Das ist für alle und wird so gemacht:"} ${words}, ${words}.`;
}

/** Each beside the others: a title, a text, and questions that share a single word with them. */
const asked = [
  {
    id: "leave",
    title: "Urlaub",
    text: "Jeder hat dreißig Tage.",
    by: ["Wo finde ich verlässlich Angaben über Urlaub"],
  },
  {
    ...{ id: "home", title: "Homeoffice Regelung", text: "Zwei Tage je Woche." },
    by: ["Ansprechpartner Vertretung Rückfrage Homeoffice", "Gibt es irgendwo Vorgaben zum Thema Homeoffice zuhause"],
  },
  {
    ...{ id: "nursery", title: "Betriebskindergarten Anmeldung und Fristen", text: "Formulare im Intranet." },
    by: ["Wie bekomme ich einen Platz im Betriebskindergarten für meine Tochter"],
  },
  {
    ...{ id: "sabbatical", title: "Hinweise", text: "Wer ein Sabbatical nimmt, spricht mit der Leitung." },
    by: ["Kann man nach fünf Jahren ein Sabbatical beantragen"],
  },
  {
    ...{ id: "yoga", title: "Fitness", text: "On Wednesday there is yoga." },
    by: ["Does anybody organise gymnastics or yoga around lunchtime"],
  },
];

/** Questions that share nothing with any document but what everybody writes. */
const strange = [
  "Wo ist die Katze auf dem Dachboden versteckt Kunde",
  "Bericht Dinosaurier Vulkan Planet",
  "guitar piano drum lessons on Wednesday",
  "Welcher Astronaut repariert Dachrinnen an kalten Tagen",
];

/** Questions of which one word is rare, in collections of every size. */
export function searchIndexQuestionContract(open: () => Promise<SearchIndexUnderTest>): void {
  let scenario: SearchScenario;
  before(async () => {
    scenario = new SearchScenario(await open());
    const others = Array.from({ length: Math.max(...sizes) }, (_none, at) =>
      scenario.document({
        ...{ id: `other${at}`, title: `${usual[at % 7]} ${usual[(at * 3 + 1) % 7]}`, author: null },
        text: textOf(at),
        access: { groups: sizes.filter((size) => at < size).map((size) => `among${size}`) },
      }),
    );
    const groups = sizes.map((size) => `among${size}`);
    await scenario.given(
      scenario.datasource({ name: "wiki" }),
      ...others,
      ...asked.map(({ id, title, text }) => scenario.document({ id, title, text, author: null, access: { groups } })),
    );
  });
  after(() => scenario.close());

  const foundAmong = (size: number, query: string) => scenario.found(query, { as: { groups: [`among${size}`] } });

  for (const size of sizes) {
    it(`finds what holds the only rare word of a question, among ${size} other documents`, async () => {
      const wrong: string[] = [];
      for (const { id, by } of asked)
        for (const query of by) {
          const found = await foundAmong(size, query);
          if (found.join() !== id) wrong.push(`${query} → ${found.join()}`);
        }
      expect(wrong).to.deep.equal([]);
    });

    it(`finds nothing where words match that everybody writes, among ${size} other documents`, async () => {
      const found: string[] = [];
      for (const query of strange) found.push(...(await foundAmong(size, query)));
      expect(found).to.deep.equal([]);
    });

    it(`finds what holds the only rare word, among ${size} that hold common ones`, async () => {
      const found = await foundAmong(size, "Wo beantrage ich meinen Urlaub schriftlich rechtzeitig");
      expect(found).to.include("leave");
    });
  }
}
