import { words } from "../words.js";
import { Page } from "./page.js";

const say = words({
  en: {
    title: "No such page",
    what: "Nothing is here for you. It may need a role that your account does not have.",
    back: "Go to Search",
  },
  de: {
    title: "Diese Seite gibt es nicht",
    what: "Hier ist nichts für Sie. Vielleicht fehlt Ihrem Konto eine Rolle.",
    back: "Zur Suche",
  },
});

/** What stands at an address that is none, or not for this person. */
export const NoSuchPage = () => (
  <Page title={say("title")}>
    <p>{say("what")}</p>
    <a href="/search">{say("back")}</a>
  </Page>
);
