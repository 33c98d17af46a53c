const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** A snippet without marks, and with nothing escaped: for whoever shows no HTML. */
export const plainSnippet = (snippet: string): string =>
  snippet
    .replaceAll(/<\/?mark>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => characters[name] ?? entity);
