import { lazy, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { NoSuchPage } from "./parts/noSuchPage.js";
import { Shell } from "./parts/shell.js";
import { openScreens } from "./screens.js";
import { session } from "./session.js";
import { SignIn } from "./screens/signIn/signIn.js";
import { language } from "./words.js";

const Welcome = lazy(() => import("./screens/welcome/welcome.js").then((file) => file.Welcome));
const Accounts = lazy(() => import("./screens/accounts/accounts.js").then((file) => file.Accounts));
const Profile = lazy(() => import("./screens/profile/profile.js").then((file) => file.Profile));
const Preview = lazy(() => import("./screens/search/preview.js").then((file) => file.Preview));

/** The page: who is not signed in signs in where the address is, and goes on there. */
export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  return (
    <LocationProvider>
      <Opened />
    </LocationProvider>
  );
}

function Opened() {
  const { path } = useLocation();
  if (path === "/welcome") return <Router>{[<Route path="/welcome" component={Welcome} />]}</Router>;
  if (session.value === undefined) return <main aria-busy="true" />;
  if (session.value === null) return <SignIn />;
  return (
    <Shell>
      <Router>
        {openScreens().map(({ path: own, component }) => (
          <Route key={own} path={`${own}/:rest*`} component={component} />
        ))}
        <Route path="/documents/:id" component={Preview} />
        <Route path="/accounts" component={Accounts} />
        <Route path="/profile" component={Profile} />
        <Route path="/" component={Home} />
        <Route default component={NoSuchPage} />
      </Router>
    </Shell>
  );
}

/** The first page is Search. */
function Home() {
  const { route } = useLocation();
  useEffect(() => route("/search", true), []);
  return null;
}
