// The ES module of pdfkit looks for a file beside itself when it loads, which it cannot in our bundle; its CommonJS one loads.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `require` is what chooses between the two.
import PDFDocument = require('pdfkit');

export { PDFDocument };
