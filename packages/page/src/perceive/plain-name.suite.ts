/** Both ways to a name, for a test to put side by side. */
export { wholeName } from './accessible-name.ts';
export { plainName } from './plain-name.ts';
