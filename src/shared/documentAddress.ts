/** Where people open a document at this service, of which `origin` is the address. `id` as search returns it. */
export const documentAddress = (origin: string, id: string): string => `${origin}/documents/${encodeURIComponent(id)}`;
