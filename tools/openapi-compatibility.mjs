// What is published against what the route table says now. A difference that breaks a client fails, unless openapi-reviewed.json says why
// it breaks none; what stands there and is no difference any more fails, too. `npm run release-baseline` publishes.
import { readFileSync } from 'node:fs';
import { apiDiff } from 'api-smart-diff';
import { printOpenapi } from './print-openapi.mjs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const reviewed = read('apps/gateway/openapi-reviewed.json');

/** The operations alone, for what components say is said again where they are used; what webhooks send is an answer of ours. */
const operationsOf = ({ components, webhooks, paths, ...rest }) => ({
  ...rest,
  components,
  paths: {
    ...paths,
    ...Object.fromEntries(
      Object.entries(webhooks).map(([name, { post }]) => [
        `/webhooks/${name}`,
        { get: { responses: { 200: { description: name, content: post.requestBody.content } } } },
      ]),
    ),
  },
});

const now = JSON.parse(await printOpenapi('dist/openapi-compatibility'));
const breaking = apiDiff(operationsOf(read('apps/gateway/openapi-published.json')), operationsOf(now))
  .filter(({ type, path }) => type === 'breaking' && path[0] !== 'components')
  .map(({ action, path, before, after }) => ({ at: path.slice(1).join(' '), action, before, after }));
const isReviewed = ({ at }) => reviewed.some((each) => at.includes(each.at));

for (const { at, action, before, after } of breaking.filter((each) => !isReviewed(each))) {
  console.error(`breaks clients: ${action} ${at}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`);
  process.exitCode = 1;
}
for (const { at } of reviewed.filter((each) => !breaking.some(({ at }) => at.includes(each.at)))) {
  console.error(`openapi-reviewed.json names what is no difference: ${at}`);
  process.exitCode = 1;
}
