import { types } from '@drawbridge/manifest';
import type { Command } from '../command.ts';
import { optionLines } from '../options.ts';
import { MADE_OPTIONS, makeFrom } from './made-text.ts';

export const mapTypes: Command = {
  name: 'map types',
  summary: 'write TypeScript types of the tools of a map',
  help: `drawbridge map types FILE [-o FILE] [--json]

Prints one input and one output type for each tool that an
agent may call, and an interface Tools with all of them.

${optionLines(MADE_OPTIONS)}

Example:
  drawbridge map types shop/actions.json -o shop-tools.ts`,
  run: (args, terminal) => makeFrom(types, args, terminal),
};
