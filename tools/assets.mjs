// Which files are bundled as data. The build (esbuild) and the tests (jest) read the same table.
export const textAssets = ['.eta', '.css', '.svg', '.client.js'];
export const binaryAssets = ['.ttf'];
