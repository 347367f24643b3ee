import { createServer } from 'node:http';
import { createClient } from 'drawbridge-relay/client';
import { createRelay } from 'drawbridge-relay/relay';
import { lendBrowser } from 'drawbridge-relay/runtime';

const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<title>Coffee menu</title><h1>Coffee</h1>');
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const address = site.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;

const relay = await createRelay({ data: './task-data', port: 0, env: {} });
// The page that a browser starts with is open to agents, also at a private address.
const lent = await lendBrowser(relay.bridge, { headless: true, url });
const { token } = await relay.devices.mint({ roles: ['agent'], label: 'Example', by: 'machine' });
const { tasks } = createClient({ url: relay.url, token });
const { task_id } = await tasks.start({ prompt: 'what is the title of this page?', url });
for await (const news of tasks.follow(task_id)) {
  if (news.kind === 'event') console.log(news.role, news.text);
  if (news.kind === 'end') console.log(news.task.state, news.task.result);
}
await lent.close();
await relay.close();
site.close();
