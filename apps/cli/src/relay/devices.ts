import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';

export const devices: Command = {
  name: 'devices',
  summary: 'show who may come in, rename or revoke one',
  help: `drawbridge devices
drawbridge devices --revoke DEVICE
drawbridge devices --rename DEVICE --name NAME

Lists the devices of the relay. A revoked one is out at once.

  --revoke DEVICE  its id, or the start of it, or its name
  --rename DEVICE  gives it the --name
  --all            revoked ones too
  --data DIR       the relay's folder (DRAWBRIDGE_HOME, else
                   ~/.drawbridge)
  --json           one device a line

Example:
  drawbridge devices --revoke Phone`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      revoke: { type: 'string' },
      rename: { type: 'string' },
      name: { type: 'string' },
      all: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0) throw new UsageError(`What is "${positionals[0]}"?`);
    if ((values.rename === undefined) !== (values.name === undefined))
      throw new UsageError('--rename and --name go together.');
    const folder = await openDataFolder(values.data);
    const [{ openLocalRelay }, { deviceLines, oneOf }] = await Promise.all([
      import('./local-relay.ts'),
      import('./device-words.ts'),
    ]);
    const relay = await openLocalRelay(folder.path);
    try {
      const there = (await relay.list()).filter(({ revoked_at }) => revoked_at === null);
      if (values.revoke !== undefined) {
        const { device_id, label } = oneOf(there, values.revoke);
        await relay.revoke(device_id);
        terminal.print(`${label} is out. drawbridge pair lets it in again.`);
      }
      if (values.rename !== undefined && values.name !== undefined) {
        const { device_id, label } = oneOf(there, values.rename);
        await relay.rename(device_id, values.name);
        terminal.print(`${label} is called ${values.name} now.`);
      }
      if (values.revoke !== undefined || values.rename !== undefined) return 0;
      const shown = values.all === true ? await relay.list() : there;
      if (values.json === true) for (const device of shown) terminal.print(JSON.stringify(device));
      else for (const line of deviceLines(shown, Date.now())) terminal.print(line);
      return 0;
    } finally {
      await relay.close();
    }
  },
};
