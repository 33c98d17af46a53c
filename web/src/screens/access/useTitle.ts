import { api } from "../../api/client.js";
import { useAnswer } from "../../api/useAnswer.js";

/** What a document is called; `datasource/id` until that is known, or where it has no title. */
export function useTitle(document: string): string {
  const query = { query: document, kind: "document", count: 10 } as const;
  const { data } = useAnswer(`title ${document}`, (signal) =>
    api.GET("/api/audit/subjects", { params: { query }, signal }),
  );
  return data?.find(({ value }) => value === document)?.label ?? document;
}
