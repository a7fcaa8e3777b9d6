import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { testCertificate } from './test-certificate';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  readonly secure: boolean;
  readonly raw: Buffer;
}

export interface SmtpBehaviour {
  /** Answers an error to refuse a recipient. */
  onRecipient?: (address: string) => Error | undefined;
  /** Answers an error to refuse what came, or ends the connection itself. */
  onMessage?: (raw: Buffer, session: SMTPServerSession) => Error | undefined;
}

export const smtpError = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

/** A real SMTP server with STARTTLS on loopback. */
export async function startSmtpReceiver(behaviour: SmtpBehaviour = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...testCertificate,
    authOptional: true,
    disabledCommands: ['AUTH'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, callback) => callback(behaviour.onRecipient?.(address)),
    onData: (stream: SMTPServerDataStream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const error = behaviour.onMessage?.(raw, session);
        if (!error) {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            secure: session.secure,
            raw,
          });
        }
        callback(error);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://localhost:${(listening.address() as AddressInfo).port}`,
    received,
    /** Ends every connection at once, as a server does that crashes. */
    dropConnections: (): void => {
      const { connections } = server as unknown as { connections: Set<{ _socket: Socket }> };
      for (const { _socket: socket } of connections) socket.destroy();
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
