import { loadConfig } from './config';

const least = { MONGODB_URI: 'mongodb://store', NATS_URL: 'nats://broker', SERVICE_TOKEN: 'token' };

test('the least: the built-in mailbox and post, loopback allowed', () => {
  expect(loadConfig(least)).toMatchObject({
    smtp: undefined,
    mailFrom: 'invoices@localhost',
    showInbox: true,
    allowLoopbackTargets: true,
    webhookSecretKey: undefined,
    pingen: undefined,
  });
});

test('in production nobody sees the mailbox, and loopback is closed', () => {
  expect(loadConfig({ ...least, NODE_ENV: 'production' })).toMatchObject({
    showInbox: false,
    allowLoopbackTargets: false,
  });
});

test('mail of test organisations leaves production only when it is said', () => {
  const testMail = (more: NodeJS.ProcessEnv) => loadConfig({ ...least, ...more }).testMail;
  expect(testMail({})).toBe('send');
  expect(testMail({ NODE_ENV: 'production' })).toBe('mailbox');
  expect(testMail({ NODE_ENV: 'production', TEST_MAIL: 'send' })).toBe('send');
  expect(() => testMail({ TEST_MAIL: 'yes' })).toThrow('TEST_MAIL');
});

test('secrets and credentials do not show in the summary', () => {
  const { summary } = loadConfig({
    ...least,
    SMTP_URL: 'smtps://user:pass@mail.example',
    MAIL_FROM: 'a@b.nl',
    WEBHOOK_SECRET_KEY: 'hush',
    PINGEN_CLIENT_ID: 'id',
    PINGEN_CLIENT_SECRET: 'hush',
    PINGEN_ORGANISATION_ID: 'org',
  });
  expect(JSON.stringify(summary)).not.toMatch(/pass|hush/);
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.nl', DKIM_DOMAIN: 'b.nl' }, 'DKIM_SELECTOR'],
  [{ PINGEN_CLIENT_ID: 'id' }, 'PINGEN_CLIENT_SECRET'],
])('what belongs together is asked for together: %j', (env, missing) => {
  expect(() => loadConfig({ ...least, ...env })).toThrow(missing);
});
