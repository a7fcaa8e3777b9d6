// `node deploy/make-secrets.mjs [file]`: writes the `.env` of docker-compose.yml with fresh secrets, readable by its owner only. What
// only you can know is left empty, and compose says so. An existing file is never touched: to rotate one secret, edit its line.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const file = process.argv[2] ?? '.env';
const secret = () => randomBytes(32).toString('base64url');

// Who may call over gRPC. Each process gets its own token, and all of them the hashes.
const identities = [
  'gateway',
  'billing',
  'catalog',
  'checkout',
  'notification',
  'application',
  'admin',
  'platform-billing',
];
const tokens = identities.map((name) => ({ name, token: secret() }));
const hashOf = (token) => createHash('sha256').update(token).digest('hex');
const variableOf = (name) => `${name.replace('-', '_').toUpperCase()}_SERVICE_TOKEN`;

// A user for each service at the store and at the broker, with its own rights: deploy/mongodb/initiate.js, deploy/nats/nats.conf.
const databases = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'application'];
// The broker reads its passwords as values of its configuration: one that begins with a digit could be a number.
const brokerUsers = ['gateway', 'billing', 'checkout', 'notification'];
// On one line: billing reads \n as a line break.
const seriesKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .trim()
  .replaceAll('\n', '\\n');

const text = `# Made by deploy/make-secrets.mjs. Keep it out of version control and backed up: PROVIDER_KEY_SECRET, ACCESS_POINT_KEY_SECRET and
# WEBHOOK_SECRET_KEY open what lies sealed in the store, SERIES_KEY signs the number series.

# Yours to fill in: the address that the world sees (https), and the mail server.
PUBLIC_URL=
SMTP_URL=
MAIL_FROM=

MONGODB_ROOT_PASSWORD=${secret()}
${databases.map((name) => `MONGODB_${name.toUpperCase()}_PASSWORD=${secret()}`).join('\n')}
MONGODB_KEY=${randomBytes(512).toString('base64')}
${brokerUsers.map((name) => `NATS_${name.toUpperCase()}_PASSWORD=n${secret()}`).join('\n')}
PROVIDER_KEY_SECRET=${secret()}
ACCESS_POINT_KEY_SECRET=${secret()}
WEBHOOK_SECRET_KEY=${secret()}
SERIES_KEY="${seriesKey}"

${tokens.map(({ name, token }) => `${variableOf(name)}=${token}`).join('\n')}
SERVICE_TOKEN_HASHES=${tokens.map(({ name, token }) => `${name}=${hashOf(token)}`).join(',')}
`;

try {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
} catch (error) {
  console.error(error.code === 'EEXIST' ? `${file} is there already: nothing was changed` : error.message);
  process.exit(1);
}
console.log(`secrets are in ${file}; fill in PUBLIC_URL, SMTP_URL and MAIL_FROM`);
