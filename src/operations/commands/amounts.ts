import type { ProjectionsAnswer } from "../../readModels/projectionStatus.js";
import { counted } from "../../shared/counted.js";

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
const step = 1_024;

/** Bytes as people read them: `12.3 MiB`. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / Math.log2(step)));
  return power === 0 ? `${bytes} bytes` : `${(bytes / step ** power).toFixed(1)} ${units[power]}`;
}

/** Positions of the log: events, or bytes of it. */
export const amountInWords = (amount: number, unit: ProjectionsAnswer["log_unit"]): string =>
  unit === "bytes" ? bytesInWords(amount) : counted(amount, "event");

/** A duration as `45 s`, `12 min` or `3 h 5 min`. */
export function durationInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
