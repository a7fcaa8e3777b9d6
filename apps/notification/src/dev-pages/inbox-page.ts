import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Eta } from 'eta';
import { stylesheet } from '@invoicing/design';
import { Router, type Response } from 'express';
import type { Email } from 'postal-mime';
import { hashSource } from './hash-source';
import ownCss from './inbox.css';
import listTemplate from './inbox-list.eta';
import messageTemplate from './inbox-message.eta';

const MOST = 200;
const css = `${stylesheet([])}\n${ownCss}`;
const PAGE_POLICY = `default-src 'none'; style-src ${hashSource(css)}; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'`;
// The space around the lines of our messages, and one line of them.
const FRAME_PX = 440;
const LINE_PX = 24;
const PHONE_CHARACTERS = 36;
const FILE = /^\d{8}T\d{9}Z-[0-9a-f-]{36}\.eml$/;
const eta = new Eta({ autoEscape: true });
const renderList = eta.compile(listTemplate);
const renderMessage = eta.compile(messageTemplate);

/** `/dev/mail`: what the built-in mailbox in `folder` holds, newest first. For development; shows mail to whoever asks. */
export function inboxPage(folder: string): Router {
  const router = Router();

  router.get('/dev/mail', async (_request, response) => {
    const files = await newestFiles(folder);
    const messages = await Promise.all(files.map(async (file) => ({ file, ...(await read(file)).email })));
    page(response, eta.render(renderList, { css, messages, folder, most: MOST, formatTime }));
  });

  router.get('/dev/mail/:file', async (request, response, next) => {
    const { file } = request.params;
    if (!FILE.test(file)) return next();
    const { email } = await read(file);
    page(response, eta.render(renderMessage, { css, file, email, formatTime, height: frameHeight(email.text ?? '') }));
  });

  router.get('/dev/mail/:file/html', async (request, response, next) => {
    const { file } = request.params;
    if (!FILE.test(file)) return next();
    const { email } = await read(file);
    // The message is not ours: no scripts, no forms, no requests, an origin of its own.
    response.set(
      'content-security-policy',
      "sandbox allow-popups; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    );
    response.type('html').send(withPictures(email));
  });

  router.get('/dev/mail/:file/raw', async (request, response, next) => {
    const { file } = request.params;
    if (!FILE.test(file)) return next();
    const { bytes } = await read(file);
    response.set('content-disposition', `attachment; filename="${file}"`).type('message/rfc822').send(bytes);
  });

  router.get('/dev/mail/:file/attachments/:index', async (request, response, next) => {
    const { file, index } = request.params;
    if (!FILE.test(file)) return next();
    const { email } = await read(file);
    const attachment = email.attachments[Number(index)];
    if (!attachment) return next();
    response.attachment(attachment.filename ?? 'attachment');
    response.type(attachment.mimeType).send(Buffer.from(attachment.content as ArrayBuffer));
  });
  return router;

  async function read(file: string): Promise<{ bytes: Buffer; email: Email }> {
    const bytes = await readFile(join(folder, file));
    const { default: PostalMime } = await import('postal-mime');
    return { bytes, email: await PostalMime.parse(bytes) };
  }
}

/** Its HTML with the pictures that came along in it. */
const withPictures = ({ html = '', attachments }: Email): string =>
  attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (!contentId || !mimeType.startsWith('image/')) return shown;
    const data = Buffer.from(content as ArrayBuffer).toString('base64');
    return shown.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, `data:${mimeType};base64,${data}`);
  }, html);

async function newestFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Nothing was sent yet.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => FILE.test(name))
    .sort()
    .reverse()
    .slice(0, MOST);
}

function page(response: Response, body: string): void {
  response.set({
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
  });
  response.type('html').send(body);
}

/** The frame's sandbox tells nobody how tall its content is: near enough, by the lines of the plain text as a phone wraps them. */
function frameHeight(text: string): number {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const wrapped = lines.reduce((sum, line) => sum + Math.ceil(line.length / PHONE_CHARACTERS), 0);
  return FRAME_PX + wrapped * LINE_PX;
}

const formatTime = (date: string | undefined): string =>
  date ? `${new Date(date).toISOString().replace('T', ' ').slice(0, 19)} UTC` : '';
