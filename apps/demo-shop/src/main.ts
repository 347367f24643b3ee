import { parseArgs } from 'node:util';
import { startShop } from './server.ts';
import { corners } from './site-map.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '7720' }, 'pay-port': { type: 'string', default: '0' } },
});

const shop = await startShop({ port: Number(values.port), payPort: Number(values['pay-port']) }).catch(
  (error: unknown) => {
    console.error(`The shop could not open (${String(error)}). Try --port 0 for any free port.`);
    process.exit(1);
  },
);

const sights = [
  { path: '/', sentence: 'The shop: find a lamp, put it in the cart, pay with 4242 4242 4242 4242.' },
  { path: '/search', sentence: 'Search results that keep no node.' },
  { path: '/login', sentence: 'A password, a one-time code, validation errors.' },
  { path: '/corners', sentence: 'Every awkward corner, listed.' },
  ...corners,
];

console.log(`The demo shop is open at ${shop.url}`);
for (const { path, sentence } of sights) console.log(`  ${path.padEnd(20)} ${sentence}`);
console.log('Ctrl-C closes it.');

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close());
