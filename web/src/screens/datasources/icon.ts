const fallback = "/assets/icon.svg";
/** Icons are told as Base64, with or without what a data URL begins with. */
const dataUrl = /^data:image\//;

/** The address of a datasource's icon. An image that is a picture of another kind is shown all the same. */
export function iconOf(icon: string | null): string {
  if (icon === null) return fallback;
  return dataUrl.test(icon) ? icon : `data:image/png;base64,${icon}`;
}

/** The greatest size of an icon. */
export const largestIconBytes = 262_144;

/** A file as a data URL. */
export const toDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
    reader.readAsDataURL(file);
  });
