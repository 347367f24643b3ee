import { command, DATA_HELP } from './task-command.ts';

interface Made {
  readonly device_id: string;
  readonly path: string;
}

export const taskClientsAdd = command(
  {
    name: 'task clients add',
    summary: 'let in an extension of the task protocol',
    help: `drawbridge task clients add NAME

Prints it, with a token of its own in it, this once: paste it
into the options of the extension. Then tasks run there, too.
The relay must let such extensions in: drawbridge up
--task-clients. drawbridge devices --revoke NAME takes the
address back.

${DATA_HELP}
  --json      {"device_id","url"}

Example:
  drawbridge task clients add "Work laptop"`,
  },
  'what you call it: its NAME',
  async ({ relay, terminal, json }, label) => {
    const { device_id, path } = await relay.ask<Made>('POST', '/api/task-clients', { label });
    const url = `${(relay.outside_url ?? relay.url).replace(/^http/, 'ws')}${path}`;
    terminal.print(json ? JSON.stringify({ device_id, url }) : url);
    return 0;
  },
);
