import { join } from 'node:path';
import { violationsIn } from './layers/violations.ts';
import { readWorkspaces } from './layers/workspaces.ts';

const workspaces = readWorkspaces(join(import.meta.dirname, '..'));
const violations = violationsIn(workspaces);
for (const violation of violations) console.error(violation);
if (violations.length === 0) console.log(`${workspaces.workspaces.length} packages, no layer violation`);
process.exitCode = violations.length === 0 ? 0 : 1;
