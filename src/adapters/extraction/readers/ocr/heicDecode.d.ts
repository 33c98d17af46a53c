/** What is used of the package, which brings no types of its own. */
declare module "heic-decode" {
  const decode: (image: {
    readonly buffer: Uint8Array;
  }) => Promise<{ readonly width: number; readonly height: number; readonly data: Uint8ClampedArray }>;
  export default decode;
}
