import { join } from 'node:path';
import { readHouse } from './layers/house.ts';
import { violationsIn } from './layers/violations.ts';

const house = readHouse(join(import.meta.dirname, '..'));
const violations = violationsIn(house);
for (const violation of violations) console.error(violation);
if (violations.length === 0) console.log(`${house.rooms.length} rooms, each on its own floor`);
process.exitCode = violations.length === 0 ? 0 : 1;
