import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { screenName } from "../screenName.js";
import { openScreens } from "../screens.js";
import { has, productName, session, signOut } from "../session.js";
import { chooseLanguage, language, languages, words } from "../words.js";
import { Select } from "./select.js";
import { chooseTheme, theme, themes } from "./theme.js";

const say = words({
  en: {
    skip: "Skip to content",
    screens: "Screens",
    menu: "Menu",
    account: "Account of {email}",
    profile: "Password and sessions",
    accounts: "Accounts",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
    language: "Language",
    theme: "Appearance",
    system: "As the system",
    light: "Light",
    dark: "Dark",
    api: "API description",
  },
  de: {
    skip: "Zum Inhalt",
    screens: "Bereiche",
    menu: "Menü",
    account: "Konto von {email}",
    profile: "Passwort und Sitzungen",
    accounts: "Konten",
    signOut: "Abmelden",
    signOutEverywhere: "Überall abmelden",
    language: "Sprache",
    theme: "Darstellung",
    system: "Wie das System",
    light: "Hell",
    dark: "Dunkel",
    api: "API-Beschreibung",
  },
});

const languageNames = { en: "English", de: "Deutsch" } as const;

/** What surrounds every screen: navigation, account, and the place for the content. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        {say("skip")}
      </a>
      <header class="top">
        <button type="button" class="plain menu-button" popovertarget="screens" aria-label={say("menu")}>
          ☰
        </button>
        <a class="brand" href="/search">
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          {productName.value}
        </a>
        <AccountMenu />
      </header>
      <Navigation />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Navigation() {
  const { path } = useLocation();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (place.current?.matches(":popover-open") === true) place.current.hidePopover();
  }, [path]);
  return (
    <nav id="screens" class="screens" popover="auto" aria-label={say("screens")} ref={place}>
      <ul>
        {openScreens().map((screen) => {
          const isHere = path === screen.path || path.startsWith(`${screen.path}/`);
          return (
            <li key={screen.path}>
              <a href={screen.path} aria-current={isHere ? "page" : undefined}>
                {screenName(screen.name)}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function AccountMenu() {
  const email = session.value?.email ?? "";
  const place = useRef<HTMLDivElement>(null);
  const { path } = useLocation();
  useEffect(() => {
    if (place.current?.matches(":popover-open") === true) place.current.hidePopover();
  }, [path]);
  return (
    <div class="account">
      <button type="button" class="plain" popovertarget="account" aria-label={say("account", { email })}>
        <span class="account-name">{email}</span>
        <span aria-hidden="true">▾</span>
      </button>
      <div id="account" class="account-menu" popover="auto" ref={place}>
        <p class="quiet">{email}</p>
        <a href="/profile">{say("profile")}</a>
        {has("administrator") && <a href="/accounts">{say("accounts")}</a>}
        <a href="/docs" target="_blank" rel="noreferrer">
          {say("api")}
        </a>
        <Select
          label={say("language")}
          value={language.value}
          onChoose={chooseLanguage}
          of={languages.map((key) => [key, languageNames[key]])}
        />
        <Select
          label={say("theme")}
          value={theme.value}
          onChoose={chooseTheme}
          of={themes.map((key) => [key, say(key)])}
        />
        <button type="button" onClick={() => void signOut("here")}>
          {say("signOut")}
        </button>
        <button type="button" class="plain" onClick={() => void signOut("everywhere")}>
          {say("signOutEverywhere")}
        </button>
      </div>
    </div>
  );
}
