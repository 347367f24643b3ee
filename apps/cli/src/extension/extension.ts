import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { ownCommand } from '../path/own-command.ts';

const OPTIONS = {
  out: { type: 'string', value: 'DIR', help: 'the folder ("extension" in the data folder)' },
  zip: { type: 'boolean', help: 'one file instead, as the Chrome Web Store takes it' },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: '{"path"}' },
} as const satisfies Options;

export const extension: Command = {
  name: 'extension',
  summary: 'put the Chrome extension where Chrome can load it',
  help: `drawbridge extension [--out DIR] [--zip]

Puts the extension into a folder, and shows how to load it into
your own Chrome. Run it again after an update.

${optionLines(OPTIONS)}

Example:
  drawbridge extension`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const out = resolve(values.out ?? join((await openDataFolder(values.data)).path, 'extension'));
    const { buildExtension, zipExtension } = await import('@drawbridge/extension');
    if (values.json !== true) terminal.printError('Building the extension …');
    const isFile = values.zip === true;
    const path = isFile
      ? await zipExtension(out)
      : await unpack(await buildExtension({ command: ownCommand() }), out);
    if (values.json === true) terminal.print(JSON.stringify({ path }));
    else terminal.print(isFile ? path : loading(path));
    return 0;
  },
};

/** Chrome remembers the folder, so the folder stays and its files are replaced. */
async function unpack(built: string, out: string): Promise<string> {
  await mkdir(out, { recursive: true });
  const there = await readdir(out);
  if (there.length > 0 && !there.includes('manifest.json')) {
    throw new Error(`${out} holds something else. Name another folder with --out.`);
  }
  for (const name of there) await rm(join(out, name), { recursive: true });
  await cp(built, out, { recursive: true });
  return out;
}

const loading = (path: string): string => `The extension is in ${path}

  1 Open chrome://extensions and switch on "Developer mode"
  2 "Load unpacked", and choose that folder
    (it is there already? Press the round arrow on its card)
  3 drawbridge pair --role extension
    gives the link to paste into its options`;
