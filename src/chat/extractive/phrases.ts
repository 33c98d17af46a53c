import type { Language } from "../../shared/language.js";

/** The sentences that the extractive model says itself. All others of an answer are quotations. */
export interface Phrases {
  /** Before quotations. */
  readonly found: string;
  /** Before the beginning of a file, where the question names nothing to look for. */
  readonly beginning: string;
  /** Where nothing that was found holds a word of the question. */
  readonly nothingFound: string;
  /** Where it was given nothing to look in. */
  readonly nothingGiven: string;
  /** Where the question names nothing to look for. */
  readonly nothingAsked: string;
}

export const phrases: Readonly<Record<Language, Phrases>> = {
  de: {
    found: "Ich formuliere nichts selbst, sondern zitiere wörtlich, was am besten zu der Frage passt:",
    beginning: "Die Frage nennt nichts, wonach ich suchen könnte. So beginnt, was ich lesen soll:",
    nothingFound: "Dazu habe ich nichts gefunden, was ich zeigen darf.",
    nothingGiven:
      "Ich bin ein Modell, das nichts selbst formuliert, sondern aus Quellen zitiert. Ohne Quellen kann ich nicht " +
      "antworten: Bitte stellen Sie die Frage mit dem Werkzeug `internalSearch` oder `webSearch` oder zu einer " +
      "hochgeladenen Datei.",
    nothingAsked:
      "Die Frage nennt nichts, wonach ich suchen könnte. Ich zitiere aus Dokumenten, Webseiten und Dateien, was am " +
      "besten zu einer Frage passt.",
  },
  en: {
    found: "I write nothing myself, but quote word for word what fits the question best:",
    beginning: "The question names nothing that I could look for. This is how what I am to read begins:",
    nothingFound: "I found nothing about this that I may show.",
    nothingGiven:
      "I am a model that writes nothing itself, but quotes from sources. Without sources I cannot answer: please ask " +
      "with the tool `internalSearch` or `webSearch`, or about an uploaded file.",
    nothingAsked:
      "The question names nothing that I could look for. I quote from documents, web pages and files what fits a " +
      "question best.",
  },
};
