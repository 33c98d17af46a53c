import { useState } from "preact/hooks";
import { words } from "../words.js";
import { Field } from "./field.js";
import { Select } from "./select.js";

const say = words({
  en: { expires: "Expires", never: "Never", days: "In {count} days", on: "On a day", day: "Day" },
  de: { expires: "Läuft ab", never: "Nie", days: "In {count} Tagen", on: "An einem Tag", day: "Tag" },
});

const spans = [30, 90, 365] as const;
const dayMs = 86_400_000;

/** Chooses when something stops working: never (null), or an ISO instant. */
export function Expiry({ onChoose }: { readonly onChoose: (expiresAt: string | null) => void }) {
  const [choice, setChoice] = useState("never");
  const choose = (chosen: string): void => {
    setChoice(chosen);
    const days = Number(chosen);
    onChoose(Number.isNaN(days) ? null : new Date(Date.now() + days * dayMs).toISOString());
  };
  return (
    <div class="row">
      <Select
        label={say("expires")}
        value={choice}
        onChoose={choose}
        of={[
          ["never", say("never")],
          ...spans.map((count) => [String(count), say("days", { count })] as const),
          ["day", say("on")],
        ]}
      />
      {choice === "day" && <Field label={say("day")} type="date" required onText={(day) => onChoose(endOf(day))} />}
    </div>
  );
}

/** The end of a day in the reader's zone. */
function endOf(day: string): string | null {
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}
