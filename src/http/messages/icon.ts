import { iconLength } from "../validation/base64.js";
import { valueError, type Issue } from "../validation/issue.js";

const largestIconBytes = 256 * 1024;

/** What is wrong with the icon of a datasource. */
export function iconIssues({ icon_base64: icon }: { icon_base64?: string | null }): readonly Issue[] {
  if (icon === undefined || icon === null) return [];
  const bytes = iconLength(icon);
  if (bytes === undefined)
    return [valueError(["body", "icon_base64"], "the icon must be standard Base64 or a Base64 data URL")];
  return bytes <= largestIconBytes
    ? []
    : [valueError(["body", "icon_base64"], `the icon may have at most ${largestIconBytes} bytes, but has ${bytes}`)];
}
