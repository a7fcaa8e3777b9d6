// What a PDF (base64 on stdin) would do when opened, and what it says, as pdf.js sees it; pdf.js is an ES module that jest cannot import.
import { text } from 'node:stream/consumers';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const data = Uint8Array.from(Buffer.from(await text(process.stdin), 'base64'));
const document = await getDocument({ data, verbosity: 0 }).promise;
const texts = [];
const links = [];
for (let number = 1; number <= document.numPages; number++) {
  const page = await document.getPage(number);
  texts.push(...(await page.getTextContent()).items.map(({ str }) => str));
  links.push(...(await page.getAnnotations()).map(({ url }) => url).filter(Boolean));
}
const answer = {
  text: texts.join(''),
  links,
  scripts: await document.getJSActions(),
  openAction: await document.getOpenAction(),
  attachments: Object.keys((await document.getAttachments()) ?? {}),
};
process.stdout.write(JSON.stringify(answer));
await document.loadingTask.destroy();
