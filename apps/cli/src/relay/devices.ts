import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';

export const devices: Command = {
  name: 'devices',
  summary: 'show who may come in, rename or revoke one',
  help: `drawbridge devices
drawbridge devices --revoke DEVICE [--with-theirs]
drawbridge devices --rename DEVICE --name NAME
drawbridge devices --approve REQUEST

Lists the devices of the relay. A revoked one is out at once.

  --revoke DEVICE  its id, or the start of it, or its name
  --with-theirs    those that it let in too, and those that
                   they let in, also after it was revoked
  --rename DEVICE  gives it the --name
  --approve REQUEST
                   confirms what a browser of the web app asks
                   for: a link, a passkey, a device to let in
  --all            revoked ones too
  --data DIR       Drawbridge's folder (DRAWBRIDGE_HOME, else
                   ~/.drawbridge)
  --json           one device a line

Example:
  drawbridge devices --revoke Phone`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      revoke: { type: 'string' },
      'with-theirs': { type: 'boolean' },
      rename: { type: 'string' },
      approve: { type: 'string' },
      name: { type: 'string' },
      all: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0) throw new UsageError(`What is "${positionals[0]}"?`);
    if ((values.rename === undefined) !== (values.name === undefined))
      throw new UsageError('--rename and --name go together.');
    const withTheirs = values['with-theirs'] === true;
    if (withTheirs && values.revoke === undefined)
      throw new UsageError('--with-theirs goes with --revoke DEVICE.');
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
        // Itself last: it may be the device as which we ask.
        const out = [...(withTheirs ? theirs : []), ...(device.revoked_at === null ? [device] : [])];
        for (const each of out) {
          await relay.revoke(each.device_id);
          terminal.print(`${nameOf(each)} is out. drawbridge pair lets it in again.`);
        }
        if (!withTheirs && theirs.length > 0) {
          terminal.print(`It let in ${theirs.map(nameOf).join(', ')}: still in. To put them out too:`);
          terminal.print(`  drawbridge devices --revoke ${device.device_id} --with-theirs`);
        }
        if (out.length === 0) terminal.print(`${nameOf(device)} was out already, and let nobody else in.`);
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
