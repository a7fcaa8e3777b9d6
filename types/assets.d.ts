/** Files that are bundled as they are: text as a string, binaries as bytes (see tools/assets.mjs). */
declare module '*.eta' {
  const text: string;
  export default text;
}
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.client.js' {
  const text: string;
  export default text;
}
declare module '*.ttf' {
  const bytes: Uint8Array;
  export default bytes;
}
