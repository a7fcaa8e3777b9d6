/** Files that are bundled as they are: text as a string, others as their path (see tools/assets.mjs). */
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
declare module '*.typ' {
  const text: string;
  export default text;
}
/** A file beside the bundle: its path, relative to the bundle's folder (absolute under jest). */
declare module '*.ttf' {
  const path: string;
  export default path;
}
declare module '*.woff2' {
  const path: string;
  export default path;
}
declare module '*.otf' {
  const path: string;
  export default path;
}
declare module '*.process.cjs' {
  const path: string;
  export default path;
}
