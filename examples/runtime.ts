import { once } from 'node:events';
import { createServer } from 'node:http';
import { createBridge, systemClock } from 'drawbridge-relay/bridge';
import { lendBrowser } from 'drawbridge-relay/runtime';

const page = '<title>Tea</title><label>Cups <input id=cups></label>';
const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page));
await once(site.listen(7719, '127.0.0.1'), 'listening');
const bridge = createBridge({ clock: systemClock, ids: (kind) => `${kind}-${crypto.randomUUID()}` });
const lent = await lendBrowser(bridge, { headless: true, url: 'http://127.0.0.1:7719' });
await bridge.call({ name: 'text.insert', arguments: { target: { selector: '#cups' }, text: '2' } }).output;
console.log(await bridge.call({ name: 'page.read', arguments: {} }).output);
await lent.close();
site.close().closeAllConnections();
