import { render } from "preact";
import { App } from "./app.js";
import { askSession } from "./session.js";
import "./style/style.css";

// The server was exchanged for another release: its page asks for files that are there.
window.addEventListener("vite:preloadError", () => location.reload());

const place = document.getElementById("app");
if (place !== null) render(<App />, place);
void askSession();
