/** The fields of a document that are searched, in the API's words. */
export const searchedFields = ["title", "text", "property", "file_name", "author", "folder"] as const;
export type SearchedField = (typeof searchedFields)[number];
