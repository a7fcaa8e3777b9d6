// Reads PDFs with pdf.js, which is an ES module that jest cannot import: { pdfs: [base64] } on stdin, a JSON list on stdout.
import { text } from 'node:stream/consumers';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const { pdfs, scale } = JSON.parse(await text(process.stdin));
const answers = [];
for (const base64 of pdfs) {
  const document = await getDocument({ data: Uint8Array.from(Buffer.from(base64, 'base64')), verbosity: 0 }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const links = (await page.getAnnotations()).map(({ url }) => url).filter(Boolean);
    const texts = items.map(({ str, transform, width }) => ({ text: str, x: transform[4], y: transform[5], width }));
    pages.push({ texts: texts.filter(({ text: each }) => each.trim()), links, ...(scale ? await pixels(page) : {}) });
    page.cleanup();
  }
  const { info, metadata } = await document.getMetadata();
  const attachments = Object.values((await document.getAttachments()) ?? {}).map(({ filename, content }) => {
    return { name: filename, text: Buffer.from(content).toString() };
  });
  answers.push({ pages, attachments, title: info.Title, author: info.Author, xmp: metadata?.getRaw() ?? '' });
  await document.loadingTask.destroy();
}
process.stdout.write(JSON.stringify(answers));

async function pixels(page) {
  const viewport = page.getViewport({ scale });
  const { createCanvas } = await import('@napi-rs/canvas');
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const canvasContext = canvas.getContext('2d');
  await page.render({ canvasContext, canvas, viewport }).promise;
  const { width, height, data } = canvasContext.getImageData(0, 0, canvas.width, canvas.height);
  return { image: { width, height, data: Buffer.from(data.buffer).toString('base64') } };
}
