import { useQuery } from "../../address.js";
import { say } from "./say.js";

/** How a list is narrowed: by the beginning of what it is in the order of. It is in the address. */
export function PrefixFilter({ label }: { readonly label: "filterUsers" | "filterGroups" | "filterDocuments" }) {
  const query = useQuery();
  return (
    <label class="field prefix">
      <span>{say(label)}</span>
      <input
        type="search"
        value={query.get("prefix") ?? ""}
        onInput={({ currentTarget }) => query.set({ prefix: currentTarget.value || null }, "replace")}
      />
    </label>
  );
}
