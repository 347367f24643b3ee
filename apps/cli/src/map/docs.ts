import { document } from '@drawbridge/manifest';
import type { Command } from '../command.ts';
import { optionLines } from '../options.ts';
import { MADE_OPTIONS, makeFrom } from './made-text.ts';

export const mapDocs: Command = {
  name: 'map docs',
  summary: 'write a page that a reviewer can sign off',
  help: `drawbridge map docs FILE [-o FILE] [--json]

Prints a Markdown page with everything that the map lets an
agent do: where, with which inputs, step by step, what can't
be undone, and what is checked.

${optionLines(MADE_OPTIONS)}

Example:
  drawbridge map docs shop/actions.json -o shop/REVIEW.md`,
  run: (args, terminal) => makeFrom(document, args, terminal),
};
