import { createClient } from 'drawbridge/client';
import { createRelay } from 'drawbridge/relay';
import { lendBrowser } from 'drawbridge/runtime';

const relay = await createRelay({ data: './task-data', port: 0, env: {} });
const lent = await lendBrowser(relay.bridge, { headless: true });
const { token } = await relay.devices.mint({ roles: ['agent'], label: 'Example', by: 'machine' });
const { tasks } = createClient({ url: relay.url, token });
const { task_id } = await tasks.start({ prompt: 'what is the title of this page?', url: relay.url });
for await (const news of tasks.follow(task_id)) {
  if (news.kind === 'event') console.log(news.role, news.text);
  if (news.kind === 'end') console.log(news.task.state, news.task.result);
}
await lent.close();
await relay.close();
