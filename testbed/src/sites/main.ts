import { parseArgs } from 'node:util';
import { startSites } from './server.ts';

const { values } = parseArgs({
  options: {
    'library-port': { type: 'string', default: '7721' },
    'board-port': { type: 'string', default: '7722' },
  },
});

const sites = await startSites({
  libraryPort: Number(values['library-port']),
  boardPort: Number(values['board-port']),
});

console.log(`The library is open at ${sites.libraryUrl}`);
console.log(`The board is open at   ${sites.boardUrl}`);
console.log('Ctrl-C closes both.');

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sites.close());
