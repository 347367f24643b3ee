import { createClient, pair } from 'drawbridge-relay/client';
import { createRelay, webApp } from 'drawbridge-relay/relay';

const relay = await createRelay({ data: './relay-data', port: 0, web: webApp() });
const { pair_path } = await relay.devices.invitations.create({
  ...{ roles: ['person'], scopes: [], label: 'Example', by: 'machine' },
});
const device = await pair(`${relay.url}${pair_path}`, 'Example');
console.log(await createClient(device).me());
await relay.close();
