import type { Words } from './words/en.ts';

/** Our own names of permissions in words; a tool has its own name. */
export const permissionText = (name: string | undefined, { tabs }: Words): string =>
  name === undefined
    ? tabs.anything
    : /^form\.(?:submit|weighty)/.test(name)
      ? tabs.forms
      : name === 'inspect'
        ? tabs.inspect
        : name;
