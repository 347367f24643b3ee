import { randomUUID } from 'node:crypto';
import { ROLES, type Role } from '@drawbridge/relay/ports';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const DEFAULT_URL = 'http://127.0.0.1:7717';

const OPTIONS = {
  role: {
    type: 'string',
    value: 'ROLE',
    help: 'person     sees and steers agents (unless given)\nowner      does everything, lets others in\nextension  lends tabs of your own Chrome\nproxy      a program: connects coding\n           agents of its machine\nruntime    a program: lends a browser\nagent      a program: uses lent browsers\nmetrics    a program: reads /metrics alone',
  },
  session: {
    type: 'string',
    value: 'SESSION',
    help: 'a guest, who sees this conversation alone: its id, or the start of it, or its name',
  },
  name: { type: 'string', value: 'NAME', help: 'a name for it, such as "Phone"' },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: {
    type: 'boolean',
    help: '{"device_id","role","token","pair_url"}:\nthe device is made, with its token; the link pairs another one; agent and metrics get none',
  },
} as const satisfies Options;

export const pair: Command = {
  name: 'pair',
  summary: 'pair a device',
  help: `drawbridge pair [--role ROLE] [--name NAME] [--data DIR]
drawbridge pair --session SESSION [--name NAME]

Makes a link that pairs one device with the relay, once, within
ten minutes. The relay is the program that drawbridge up runs:
agents, browsers and people meet there. A role that is a program
gets a token instead, because programs do not open links.

${optionLines(OPTIONS)}

Example:
  drawbridge pair --name Phone`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const role = readKind(values.role ?? 'person');
    const { session } = values;
    if (session !== undefined && role !== 'person')
      throw new UsageError('--session invites a guest, who is a person. Leave out --role.');
    const label = values.name ?? (session === undefined ? LABELS[role] : 'Guest');
    const folder = await openDataFolder(values.data);
    const guestOf = session === undefined ? [] : [`session:${await sessionId(folder.path, session)}`];
    // A guest of a session that cannot exist reads the metrics alone.
    const scopes = role === 'metrics' ? [`session:metrics-${randomUUID()}`] : guestOf;
    const [{ openLocalRelay }, { extensionLines, invitationLines }] = await Promise.all([
      import('./local-relay.ts'),
      import('./invitation-words.ts'),
    ]);
    const relay = await openLocalRelay(folder.path);
    try {
      const { outside_url, fingerprint } = relay;
      const url = outside_url ?? relay.url ?? DEFAULT_URL;
      const order = { roles: rolesOf(role), label, scopes };
      // A link would let an agent make a second device; metrics have no page.
      const isWithoutLink = role === 'agent' || role === 'metrics';
      const isProgram = isWithoutLink || role === 'proxy' || role === 'runtime';
      const device = values.json === true || isProgram ? await relay.mint(order) : undefined;
      const isInvited = values.json === true ? !isWithoutLink : !isProgram;
      const invitation = isInvited ? await relay.invite(order) : undefined;
      if (values.json === true) {
        const { device_id, token } = device ?? {};
        const link = invitation && { pair_url: `${url}${invitation.pair_path}` };
        terminal.print(JSON.stringify({ device_id, role, token, ...link }));
        return 0;
      }
      if (invitation !== undefined) {
        const { pair_path, expires_at } = invitation;
        const { peoplesUrl } = await import('./own-name.ts');
        const isExtension = role === 'extension';
        const shown = isExtension ? (relay.url ?? url) : url;
        const facts = { pair_url: `${await peoplesUrl(shown)}${pair_path}`, expires_at, fingerprint };
        const reachable = outside_url !== undefined;
        const lines = isExtension
          ? extensionLines(facts, outside_url)
          : invitationLines({ ...facts, reachable }, terminal);
        for (const line of lines) terminal.print(line);
      }
      if (device !== undefined) {
        terminal.print(`${label} may come in as ${role} with this token. It is not shown again:`);
        terminal.print(`  ${device.token}`);
        terminal.print(`drawbridge devices --revoke ${device.device_id} revokes it.`);
      }
      if (relay.url === undefined) terminal.print('No relay runs. Start it: drawbridge up');
      return 0;
    } finally {
      await relay.close();
    }
  },
};

async function sessionId(folder: string, meant: string): Promise<string> {
  const [{ openRunningRelay }, { listedSessions }, { oneSession }] = await Promise.all([
    import('./local-relay.ts'),
    import('./sessions.ts'),
    import('./sessions-words.ts'),
  ]);
  return oneSession(await listedSessions(await openRunningRelay(folder)), meant).session_id;
}

type Kind = Role | 'extension' | 'metrics';
const KINDS: readonly Kind[] = [...ROLES, 'extension', 'metrics'];

function rolesOf(kind: Kind): readonly Role[] {
  // An extension lends tabs, and its panel is a person's client.
  if (kind === 'extension') return ['runtime', 'person'];
  return [kind === 'metrics' ? 'person' : kind];
}

const LABELS: Readonly<Record<Kind, string>> = {
  extension: 'Extension',
  owner: 'Owner',
  person: 'Person',
  proxy: 'Proxy',
  runtime: 'Browser',
  agent: 'Agent',
  metrics: 'Metrics',
};

function readKind(text: string): Kind {
  const kind = KINDS.find((one) => one === text);
  if (kind === undefined) throw new UsageError(`--role is one of ${KINDS.join(', ')}, not "${text}".`);
  return kind;
}
