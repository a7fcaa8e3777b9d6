// Whether the process in this container serves: exit code 0 or 1. Asks HEALTHCHECK_TARGET, either `http://host:port/path` (2xx) or
// `grpc://host:port` (grpc.health.v1, with this process's own certificate under mutual TLS). Needs nothing but Node.js.
const { readFileSync } = require('node:fs');
const { connect } = require('node:http2');

const LIMIT_MS = 4_000;
// grpc.health.v1.HealthCheckResponse: field 1 = SERVING, after the five bytes of gRPC's frame.
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 0x01]);
const EMPTY_REQUEST = Buffer.alloc(5);

const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};
setTimeout(() => fail(`no answer within ${LIMIT_MS} ms`), LIMIT_MS);

const target = process.env.HEALTHCHECK_TARGET || fail('HEALTHCHECK_TARGET is not set');
if (target.startsWith('grpc://')) askGrpc(target.slice('grpc://'.length));
else
  fetch(target).then(
    ({ ok, status }) => (ok ? process.exit(0) : fail(`status ${status}`)),
    (error) => fail(`${error.message}: ${error.cause?.message ?? ''}`),
  );

function askGrpc(address) {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_CA_FILE: ca } = process.env;
  const tls = cert && { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
  const session = connect(`${tls ? 'https' : 'http'}://${address}`, tls || {});
  session.on('error', (error) => fail(error.message));
  const call = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const chunks = [];
  call.on('data', (chunk) => chunks.push(chunk));
  call.on('error', (error) => fail(error.message));
  call.on('end', () => (Buffer.concat(chunks).equals(SERVING) ? process.exit(0) : fail('not serving')));
  call.end(EMPTY_REQUEST);
}
