import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Received } from './snapshot';

/** The mail server and the receiver of webhooks, which can fail, and what they have got. */
export interface Outside {
  readonly smtpUrl: string;
  readonly webhookUrl: string;
  readonly received: Omit<Received, 'eInvoices'>;
  readonly breakMail: (isDown: boolean) => void;
  readonly breakReceiver: (isDown: boolean) => void;
  readonly close: () => Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const received = { mails: [] as { messageId: string; to: string }[], webhooks: [] as { id: string; body: string }[] };
  const down = { mail: false, receiver: false };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData: (stream: SMTPServerDataStream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (down.mail) return callback(Object.assign(new Error('try again later'), { responseCode: 451 }));
        void PostalMime.parse(Buffer.concat(chunks)).then(({ messageId = '' }) => {
          received.mails.push({ messageId, to: session.envelope.rcptTo[0]?.address ?? '' });
          callback();
        }, callback);
      });
    },
  });
  smtp.on('error', () => undefined);
  const mailServer = smtp.listen(0, '127.0.0.1');
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (down.receiver) return void response.writeHead(503).end();
      received.webhooks.push({ id: String(request.headers['webhook-id']), body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await Promise.all([once(mailServer, 'listening'), once(receiver, 'listening')]);
  const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port;
  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(mailServer)}`,
    webhookUrl: `http://127.0.0.1:${portOf(receiver)}/`,
    received,
    breakMail: (isDown) => void (down.mail = isDown),
    breakReceiver: (isDown) => void (down.receiver = isDown),
    close: async () => {
      receiver.close();
      receiver.closeAllConnections();
      await new Promise<void>((resolve) => smtp.close(resolve));
    },
  };
}
