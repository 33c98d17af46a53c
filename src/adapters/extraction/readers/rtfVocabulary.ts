/** Control words that stand for characters. */
export const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ par: "\n", line: "\n", sect: "\n", page: "\n", column: "\n", row: "\n", nestrow: "\n", softline: "\n" },
    ...{ tab: "\t", cell: "\t", nestcell: "\t", emspace: " ", enspace: " ", qmspace: " " },
    ...{ emdash: "—", endash: "–", bullet: "•", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”" },
  }),
);

/** Control symbols that stand for characters; a hyphen that shows only at the end of a line is none. */
export const symbols: ReadonlyMap<string, string> = new Map(
  Object.entries({ "\\": "\\", "{": "{", "}": "}", "~": "\u00a0", _: "-", "\n": "\n", "\r": "\n" }),
);

/** Groups that hold no text, though nothing in their beginning says that they may be passed over. */
export const silentGroups: ReadonlySet<string> = new Set([
  ...["fonttbl", "colortbl", "stylesheet", "info", "pict", "objdata", "objclass", "objname", "nonshppict", "shprslt"],
  ...["fldinst", "listtable", "listoverridetable", "filetbl", "revtbl", "pntext", "pntxta", "pntxtb", "listtext"],
  ...["sp", "sn", "sv", "xe", "tc", "rxe", "txe", "bkmkstart", "bkmkend", "atnid", "atnauthor", "atndate", "atnref"],
  ...["atnicn", "atntime", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "template", "do", "upr"],
  ...["themedata", "colorschememapping", "latentstyles", "datastore", "rsidtbl", "generator", "xmlnstbl", "htmltag"],
]);

/** Groups that may be passed over by old programs, and hold text. */
export const spokenGroups: ReadonlySet<string> = new Set([
  "shppict",
  "shpinst",
  "shptxt",
  "annotation",
  "ud",
  "footnote",
]);

/** Groups that stand inside a line and are read after it. */
export const apartGroups: ReadonlySet<string> = new Set(["footnote", "annotation", "shptxt"]);

/** Groups that are read after everything else. */
export const pageEndGroups: ReadonlySet<string> = new Set([
  ...["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"],
]);

/** What a group of the file's properties says of the file. */
export const factGroups: ReadonlySet<string> = new Set(["title", "author", "creatim", "revtim"]);

/** Code pages by the number that a font has for its script. */
const codePages: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255 },
  ...{ 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 255: 437 },
};

/** null: the code page of the document. */
export const codePageOfScript = (script: number): number | null => codePages[script] ?? null;
