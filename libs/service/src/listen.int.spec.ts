import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { listen } from './listen';

function ask(port: number, agent: Agent): Promise<{ connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request({ port, agent }, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ connection: response.headers.connection, text }));
    })
      .on('error', reject)
      .end();
  });
}

test('closing lets what is under way finish, ends idle connections and takes nothing new', async () => {
  let finish: (() => void) | undefined;
  const server = createServer((_request, response) => {
    if (finish) response.end('quick');
    else finish = () => response.end('slow');
  });
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  const slow = ask(port, agents[0]);
  await once(server, 'request');
  expect(await ask(port, agents[1])).toEqual({ connection: 'keep-alive', text: 'quick' });
  const closed = close();
  finish!();
  expect(await slow).toEqual({ connection: 'close', text: 'slow' });
  await closed;
  await expect(ask(port, agents[1])).rejects.toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|ECONNRESET/) });
  agents.forEach((agent) => agent.destroy());
});

test('a port that is taken is an error', async () => {
  const { port, close } = await listen(createServer(), { host: '127.0.0.1', port: 0 });
  await expect(listen(createServer(), { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await close();
});
