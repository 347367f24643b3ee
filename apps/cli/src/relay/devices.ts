import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  revoke: { type: 'string', value: 'DEVICE', help: 'its id, or the start of it, or its name' },
  'with-theirs': {
    type: 'boolean',
    help: 'also every device it let in, and so on; works after it was revoked, too',
  },
  rename: { type: 'string', value: 'DEVICE', help: 'change its name to --name' },
  name: { type: 'string', value: 'NAME', help: 'the new name' },
  approve: {
    type: 'string',
    value: 'REQUEST',
    help: 'confirm a request from the web app: a link, a passkey, a device to let in',
  },
  all: { type: 'boolean', help: 'revoked ones too' },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: 'one device per line' },
} as const satisfies Options;

export const devices: Command = {
  name: 'devices',
  summary: 'list, rename or revoke devices',
  help: `drawbridge devices
drawbridge devices --revoke DEVICE [--with-theirs]
drawbridge devices --rename DEVICE --name NAME
drawbridge devices --approve REQUEST

Lists the relay's devices. Revoking one disconnects it at once.

${optionLines(OPTIONS)}

Example:
  drawbridge devices --revoke Phone`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    if ((values.rename === undefined) !== (values.name === undefined))
      throw new UsageError('--rename needs --name, and --name needs --rename.');
    const withTheirs = values['with-theirs'] === true;
    if (withTheirs && values.revoke === undefined)
      throw new UsageError('--with-theirs needs --revoke DEVICE.');
    const folder = await openDataFolder(values.data);
    const [{ openLocalRelay }, { deviceLines, letInBy, nameOf, oneOf }] = await Promise.all([
      import('./local-relay.ts'),
      import('./device-words.ts'),
    ]);
    if (values.approve !== undefined) {
      const { approve } = await import('./approval.ts');
      return approve(folder.path, values.approve, terminal);
    }
    const relay = await openLocalRelay(folder.path);
    try {
      const all = await relay.list();
      const there = all.filter(({ revoked_at }) => revoked_at === null);
      if (values.revoke !== undefined) {
        const device = oneOf(withTheirs ? all : there, values.revoke);
        const theirs = letInBy(device, all);
        // Itself last: it may be our own device.
        const out = [...(withTheirs ? theirs : []), ...(device.revoked_at === null ? [device] : [])];
        for (const each of out) {
          await relay.revoke(each.device_id);
          terminal.print(`${nameOf(each)} is revoked. To let it in again: drawbridge pair`);
        }
        if (!withTheirs && theirs.length > 0) {
          terminal.print(`It let in ${theirs.map(nameOf).join(', ')}, not revoked. To revoke them too:`);
          terminal.print(`  drawbridge devices --revoke ${device.device_id} --with-theirs`);
        }
        if (out.length === 0)
          terminal.print(`${nameOf(device)} was already revoked, and let nobody else in.`);
      }
      if (values.rename !== undefined && values.name !== undefined) {
        const { device_id, label } = oneOf(there, values.rename);
        await relay.rename(device_id, values.name);
        terminal.print(`${label} is called ${values.name} now.`);
      }
      if (values.revoke !== undefined || values.rename !== undefined) return 0;
      const shown = values.all === true ? all : there;
      if (values.json === true) for (const device of shown) terminal.print(JSON.stringify(device));
      else for (const line of deviceLines(shown, all, Date.now())) terminal.print(line);
      return 0;
    } finally {
      await relay.close();
    }
  },
};
