/** Version of the application, as in package.json (a spec holds the two together). */
export const VERSION = '1.0.0';
