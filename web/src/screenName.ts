import { words } from "./words.js";

/** What screens are called. */
export const screenName = words({
  en: {
    search: "Search",
    ask: "Ask",
    access: "Access",
    serviceAccounts: "Service accounts",
    apiKeys: "API keys",
    datasources: "Datasources",
    readModels: "Read models",
    events: "Events",
  },
  de: {
    search: "Suche",
    ask: "Fragen",
    access: "Zugriff",
    serviceAccounts: "Dienstkonten",
    apiKeys: "API-Schlüssel",
    datasources: "Datenquellen",
    readModels: "Lesemodelle",
    events: "Ereignisse",
  },
});
