import { type Finding, openWorkspaces, profileNames } from '@drawbridge/proxy';
import { plainText } from '../ask/plain-text.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { paintFor, widthOf, wrap } from '../map/paint.ts';
import { adapterOf, panelAdapters, profileOf, WITHHELD_HINT, withheldFrom } from './agent-adapters.ts';
import { credentialStatus, joinAsProxy } from './joined-proxy.ts';
import type { ProxyOptions } from './proxy-arguments.ts';

const MAX_NAME = 80;

interface Report {
  readonly about: string;
  readonly findings: readonly Finding[];
}

export async function diagnose(
  options: ProxyOptions,
  token: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const data = await openDataFolder(options.data);
  const workspaces = openWorkspaces(options.workspaces);
  const agents = options.agents ?? profileNames.map((name) => ({ name }));
  const profiles = agents.map((agent) => profileOf(agent, options));
  const print = createPrinter(options.json, terminal);
  let steerable = 0;
  for (const profile of profiles) {
    const adapter = adapterOf(profile, options, workspaces, data);
    const findings = await adapter.diagnose();
    if (findings.some(({ ok, what }) => ok && what.startsWith('it speaks ACP'))) steerable += 1;
    print({ about: profile.name, findings });
  }
  const withheld = withheldFrom(profiles);
  if (withheld.length > 0) {
    const what = `agents start without ${withheld.map((name) => plainText(name, MAX_NAME)).join(', ')}`;
    print({ about: 'environment', findings: [{ ok: true, what, hint: WITHHELD_HINT }] });
  }
  const panels = await panelAdapters(options, workspaces);
  for (const adapter of panels.adapters) {
    const findings = await adapter.diagnose();
    if (findings.some(({ ok }) => ok)) steerable += 1;
    print({ about: `${adapter.name} panel`, findings });
    await adapter.close();
  }
  await panels.close();
  if (steerable === 0 && options.agents === undefined) {
    const hint = 'To try it without one: drawbridge proxy --agent demo';
    print({ about: 'agents', findings: [{ ok: false, what: 'none of them is installed', hint }] });
  }
  const relay = await relayFindings(options, token, data);
  print({ about: 'relay', findings: relay });
  return steerable > 0 && relay.every(({ ok }) => ok) ? 0 : 1;
}

async function relayFindings(
  options: ProxyOptions,
  token: string | undefined,
  data: DataFolder,
): Promise<readonly Finding[]> {
  try {
    const joined = await joinAsProxy(options, token, data);
    const status = await credentialStatus(joined);
    if (status === 200) return [{ ok: true, what: `${joined.url} lets "${joined.machine_label}" in` }];
    const hint = 'Pair it again: drawbridge pair --role proxy';
    return [{ ok: false, what: `${joined.url} answers with HTTP ${status}`, hint }];
  } catch (error) {
    return [{ ok: false, what: error instanceof Error ? error.message : String(error) }];
  }
}

function createPrinter(json: boolean, terminal: Terminal): (report: Report) => void {
  const paint = paintFor(terminal);
  const width = widthOf(terminal);
  return ({ about, findings }) => {
    if (json) {
      for (const finding of findings) terminal.print(JSON.stringify({ about, ...finding }));
      return;
    }
    terminal.print(about);
    for (const { ok, what, hint } of findings) {
      const [first = '', ...rest] = wrap(what, width - 5);
      terminal.print(`  ${ok ? paint.good('ok') : paint.bad('no')} ${first}`);
      for (const line of [...rest, ...(hint === undefined ? [] : wrap(hint, width - 5))])
        terminal.print(`     ${line}`);
    }
  };
}
