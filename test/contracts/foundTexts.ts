/** A text that stands alone in a document, which only one person may see, and what that person asks. */
export interface FoundText {
  readonly text: string;
  /** Left out: a title that says nothing. */
  readonly title?: string;
  readonly finds?: readonly string[];
  readonly misses?: readonly string[];
}

/** Each of these is found by any other of them. */
const alike = (...texts: readonly string[]): readonly FoundText[] =>
  texts.map((text) => ({ text, finds: texts.filter((other) => other !== text) }));

/** What people write in several ways, and what is not the same although it is written nearly so; by its kind. */
export const foundTexts: Readonly<Record<string, readonly FoundText[]>> = {
  "telephone numbers": [
    ...alike("030 901820", "030901820", "030/901820"),
    ...alike("+49 176 123-45678", "+4917612345678"),
  ],
  "numbers in groups": [
    ...alike("DE123456789", "DE 123 456 789"),
    ...alike("ATU12345678", "AT U12345678"),
    ...alike("978-3-16-148410-0", "9783161484100"),
    { text: "12345678", finds: ["12-345-678"] },
    { text: "21/815/08150", finds: ["2181508150"] },
    { text: "V-2024-001", finds: ["V2024001"] },
    { text: "2001", misses: ["2000", "200!", "2010"] },
    { text: "223", misses: ["123"] },
  ],
  "amounts with a unit": [
    ...["50 kg", "500 GB", "230 V", "30 min", "24 h", "10 km"].flatMap((text) => alike(text, text.replace(" ", ""))),
    ...alike("M8 x 20", "M8x20"),
    ...alike("40 ㎡", "40 m2"),
    ...alike("5 ㎏", "5 kg"),
  ],
  dates: [
    ...alike("05.03.2024", "5.3.2024", "5.3.24", "2024-03-05", "5. März 2024", "March 5, 2024", "5th of March 2024"),
    ...alike("the 5th of March, 2024", "5.3.2024"),
    { text: "5 of 12 500 pumps", misses: ["512500"] },
    { text: "03/05/2024", finds: ["March 5, 2024", "5. März 2024", "3. Mai 2024", "2024-05-03"] },
    { text: "05.03.2024", misses: ["06.03.2024!"] },
  ],
  "zeros in front": [
    { text: "Artikel 0012345", finds: ["12345"] },
    { text: "0815", finds: ["815"] },
    { text: "000789", finds: ["789"] },
    { text: "Nr. 000042", finds: ["42"], misses: ["43", "4200"] },
    { text: "007", misses: ["7"] },
    { text: "05.03.2024 um 08:05:012 für 1.045,50", misses: ["5!", "3!", "8!", "12!", "45!"] },
  ],
  "digits of other scripts": [
    ...["٢٠٢٤", "۲۰۲۴", "२०२४", "๒๐๒๔", "ปี๒๐๒๔", "២០២៤"].map((text) => ({ text, finds: ["2024"], misses: ["202!"] })),
    ...alike("๑๒๓๔", "1234"),
  ],
  thousands: alike("10 000 €", "10000", "10.000", "10\u00a0000", "10\u202f000"),
  "Arabic and Hebrew": [
    ...alike("كِتَابٌ", "كتاب"),
    ...alike("תִּקּוּן", "תקון"),
    { text: "أحمد", finds: ["احمد"] },
    { text: "إدارة", finds: ["ادارة"] },
    { text: "كتـــاب", finds: ["كتاب"] },
    ...alike("کتابی", "كتابي"),
    ...alike("الكتاب", "كتاب", "والكتاب", "الكِتَابُ"),
    { text: "الان", misses: ["ان"] },
    { text: "والدين", misses: ["دين"] },
  ],
  "Indic vowel signs": [
    { text: "हिन्दी", finds: ["हिन्दी"], misses: ["हनद"] },
    { text: "বাংলা", finds: ["বাংলা"], misses: ["বল"] },
  ],
  Korean: [
    { text: "고객관리시스템", finds: ["시스템", "관리", "고객"] },
    { text: "서울 지사", finds: ["서울에서"] },
    { text: "서울에서 만나요", finds: ["서울"] },
  ],
  Japanese: [
    { text: "ｶﾞｷﾞ", finds: ["ガギ"] },
    { text: "ﾊﾞﾝｺﾞｳ", finds: ["バンゴウ"] },
    { text: "-", title: "プログラム一覧.xlsx".normalize("NFD"), finds: ["プログラム"] },
  ],
  "characters that nobody sees": [
    { text: "Donau\u200bdampf\u200bschiff", finds: ["donaudampfschiff"] },
    { text: "Donau\ufeffdampf\u200cschiff", finds: ["donaudampfschiff"] },
  ],
  Thai: [{ text: "เขาอยู่ที่บ้าน", finds: ["บ้าน"], misses: ["ข้าว"] }],
  apostrophes: [
    { text: "L'Oréal", finds: ["loreal", "L’Oreal", "oreal"] },
    { text: "O'Reilly", finds: ["oreilly", "O’Reilly"] },
    { text: "D'Angelo", finds: ["dangelo"] },
    ...["O`Neill", "O´Neill"].map((text) => ({ text, finds: ["oneill", "O'Neill", "O’Neill"] })),
    { text: "O'Neill", finds: ["O`Neill", "O´Neill", "oneill"] },
  ],
  "hyphens of compounds": [{ text: "Haupt -und Nebenkosten", finds: ["Haupt -und Nebenkosten"] }],
  exclusions: [
    ...(
      [
        ["audio mp3", "audio -mp3"],
        ["mobilfunk 5g", "mobilfunk -5g"],
        ["bericht Q3", "bericht -Q3"],
        ["log4j log4j2", "log4j -log4j2"],
        ["python python3", "python -python3"],
        ["ticket proj12", "ticket -proj12"],
        ["programmieren in C#", "programmieren -C#"],
        ["programmieren in R", "programmieren -R"],
        ["vertrag für C++", "vertrag -C++"],
        ["vertrag 1.2.3", "vertrag -1.2.3"],
        ["京都 寺", "京都 -寺"],
        ["rechnung 2023", "rechnung -2023"],
        ["rechnung 2023", "rechnung \u22122023"],
        ["rechnung 2023", "rechnung \u20132023"],
        ["京都 寺", "京都 \uff0d寺"],
      ] as const
    ).map(([text, query]) => ({ text, misses: [query] })),
    { text: "log4j", finds: ["log4j -log4j2"] },
    { text: "python", finds: ["python -python3"] },
    { text: "programmieren in C", finds: ["programmieren -C#", "programmieren -R"] },
    { text: "Rechnung 2024", finds: ["rechnung -2023"] },
    ...["京都の寺", "京都の古い寺めぐり", "寺院は京都", "京都寺町"].map((text) => ({ text, misses: ["京都 -寺"] })),
    { text: "京都の駅", finds: ["京都 -寺"] },
    { text: "서울 자동차", finds: ["서울 -배"], misses: ["서울 -차"] },
    { text: "tar -xzf archiv.tar", finds: ["tar -xzf", "tar -xzf archiv.tar"] },
    { text: "npm publish --dry-run", finds: ["npm --dry-run"] },
    { text: "java -Xmx512m -jar app.jar", finds: ["java -Xmx512m", "-Xmx512m"] },
    { text: "mvn clean install -DskipTests", finds: ["mvn clean install -DskipTests"] },
    { text: "mvn clean install -Pprod", finds: ["mvn clean install -Pprod"] },
    { text: "javac -Xlint Main.java", finds: ["javac -Xlint Main.java", "javac -Xlint"] },
    { text: "die Rechnung und der Vertrag", finds: ["Rechnung -und", "Rechnung -die"] },
  ],
  questions: [
    {
      text: "Text",
      title: "Urlaub",
      finds: ["Anspruch Resttage Sonderfall Urlaub", "Wo beantrage ich meinen Urlaub schriftlich rechtzeitig"],
    },
  ],
};
