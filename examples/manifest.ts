import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { validateManifest } from 'drawbridge-relay/manifest';

const file = fileURLToPath(import.meta.resolve('drawbridge-relay/maps/shop/actions.json'));
const checked = validateManifest(await readFile(file, 'utf8'));
if (checked.ok) console.log(checked.map.tools.map(({ name }) => name));
else for (const { message, line } of checked.errors) console.error(`${file}:${line} ${message}`);
