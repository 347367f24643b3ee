import { createClient } from 'drawbridge-relay/client';
import { createRelay } from 'drawbridge-relay/relay';

const relay = await createRelay({ data: './chat-data', port: 0 });
const { token } = await relay.devices.mint({ roles: ['person'], label: 'Example', by: 'machine' });
const chat = createClient({ url: relay.url, token }).chat();
chat.onFrame((frame) => console.log(frame.type));
await new Promise<void>((resolve) => chat.onState(({ kind }) => kind === 'open' && resolve()));
chat.close();
await relay.close();
