/**
 * A typo key as 32 bits (FNV-1a over its UTF-16 units). It keeps the index of keys small; a collision costs a
 * comparison.
 */
export function hashOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash | 0;
}
