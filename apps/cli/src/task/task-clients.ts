import { command } from './task-command.ts';

export const taskClientsAdd = command(
  {
    name: 'task clients add',
    summary: 'let in an extension of the task protocol',
    help: (options) => `drawbridge task clients add NAME

Prints an address with a token in it, this once. Paste it into
the options of the extension, and tasks can run there, too. The
relay must accept such extensions: drawbridge up
--task-clients. To revoke the address: drawbridge devices
--revoke NAME

${options}

Example:
  drawbridge task clients add "Work laptop"`,
    json: '{"device_id","url"}',
  },
  'a NAME for it',
  async ({ relay, terminal, json }, label) => {
    const { device_id, path } = await relay.call('POST /api/task-clients', { body: { label } });
    const url = `${(relay.outside_url ?? relay.url).replace(/^http/, 'ws')}${path}`;
    terminal.print(json ? JSON.stringify({ device_id, url }) : url);
    return 0;
  },
);
