import type { ProxyEvent } from '@drawbridge/proxy';
import { plainText } from '../ask/plain-text.ts';
import type { Terminal } from '../command.ts';
import { paintFor, widthOf, wrap } from '../map/paint.ts';
import { WITHHELD_HINT } from './agent-adapters.ts';
import type { JoinedProxy } from './joined-proxy.ts';

type Session = Extract<ProxyEvent, { event: 'session' }>['session'];

const MAX_NAMES = 2_000;
/** The proxy's doctor lists all. */
const SHOWN_NAMES = 3;
const COLUMNS = { time: 8, name: 18, health: 9, activity: 16 } as const;

/** One line per change: agent, health, activity, last delivery. */
export function createProxyLog(json: boolean, terminal: Terminal, now: () => number) {
  const paint = paintFor(terminal);
  const sessions = new Map<string, { readonly session: Session; readonly delivery: string }>();
  const said = new Map<string, string>();

  const clock = (at: number): string => new Date(at).toTimeString().slice(0, COLUMNS.time);
  const line = (session_id: string): void => {
    const entry = sessions.get(session_id);
    if (entry === undefined) return;
    const { status, activity, display_name = '', workspace_name = '' } = entry.session;
    const name = plainText(`${display_name} · ${workspace_name}`, COLUMNS.name).padEnd(COLUMNS.name);
    const health = status.slice(0, COLUMNS.health).padEnd(COLUMNS.health);
    const doing = (activity?.kind ?? '').padEnd(COLUMNS.activity);
    const text =
      `${name} ${status === 'healthy' ? health : paint.bad(health)} ${doing} ${entry.delivery}`.trimEnd();
    if (said.get(session_id) === text) return;
    said.set(session_id, text);
    terminal.print(`${paint.quiet(clock(now()))} ${text}`);
  };

  const show = (event: ProxyEvent): void => {
    switch (event.event) {
      case 'relay':
        if (event.state === 'open')
          terminal.print(`${paint.quiet(clock(now()))} ${paint.good('Connected to the relay.')}`);
        if (event.state === 'waiting') {
          const why = plainText(event.message ?? '', 200);
          terminal.print(`${paint.quiet(clock(now()))} ${paint.warn(`No connection to the relay. ${why}`)}`);
        }
        return;
      case 'session': {
        const { session } = event;
        sessions.set(session.session_id, {
          session,
          delivery: sessions.get(session.session_id)?.delivery ?? '',
        });
        line(session.session_id);
        return;
      }
      case 'delivery': {
        const { session_id, result, code, at } = event;
        const entry = sessions.get(session_id);
        if (entry === undefined) return;
        const what = result === 'delivered' ? 'delivered' : (code ?? 'failed');
        sessions.set(session_id, { ...entry, delivery: `${what} ${clock(Date.parse(at))}` });
        line(session_id);
        return;
      }
      case 'closed': {
        const name = sessions.get(event.session_id)?.session.display_name ?? event.session_id;
        sessions.delete(event.session_id);
        terminal.print(`${paint.quiet(clock(now()))} ${plainText(name, 40)} is closed (${event.reason}).`);
        return;
      }
      case 'alarm':
        for (const part of wrap(`ALARM: ${plainText(event.message, 600)}`, widthOf(terminal)))
          terminal.printError(paint.bad(part));
        return;
    }
  };

  return {
    begin: (
      { url, machine_label }: JoinedProxy,
      {
        agents,
        workspaces,
        withheld,
      }: {
        readonly agents: readonly string[];
        readonly workspaces: readonly string[];
        /** Variables that no agent gets. */
        readonly withheld: readonly string[];
      },
    ): void => {
      if (json) {
        terminal.print(
          JSON.stringify({ event: 'serving', url, machine_label, agents, workspaces, withheld }),
        );
        return;
      }
      terminal.print(`${machine_label} serves ${agents.join(', ')} to ${url}, in`);
      for (const workspace of workspaces) terminal.print(`  ${workspace}`);
      if (withheld.length === 0) return;
      const told = withheld.slice(0, SHOWN_NAMES);
      const more = withheld.length - told.length;
      const names = plainText(told.join(', '), MAX_NAMES) + (more > 0 ? ` and ${more} more variables` : '');
      const says = `Agents start without ${names}; proxy doctor lists them. ${WITHHELD_HINT}`;
      for (const part of wrap(says, widthOf(terminal))) terminal.print(paint.quiet(part));
    },
    print: (event: ProxyEvent): void => {
      if (json) terminal.print(JSON.stringify(event));
      else show(event);
    },
  };
}
