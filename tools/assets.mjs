// Which files are bundled as data. The build (esbuild) and the tests (jest) read the same table.
export const textAssets = ['.eta', '.css', '.svg', '.client.js', '.typ'];
// Files that go along beside the bundle; importing one gives its path.
export const fileAssets = ['.ttf', '.otf', '.woff2', '.process.cjs'];
