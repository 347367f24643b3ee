import type { ErrorCode, Session } from '@drawbridge/protocol';
import type { Peer } from './peer.ts';

type Choice = { readonly proxy: Peer } | { readonly error_code: ErrorCode; readonly reason: string };

/** Feature of a proxy that starts no agents. */
const NO_LAUNCH = 'no_launch';

/** True for two machines with the same label. Proxies that start no agents do not count. */
export const areNamesakes = (one: Peer, other: Peer): boolean =>
  one.machine_label !== '' &&
  one.machine_label === other.machine_label &&
  one.device_id !== other.device_id &&
  ![one, other].some(({ features }) => features.has(NO_LAUNCH));

export const oneName = ({ machine_label }: Peer): string =>
  `Two machines are called "${machine_label}". End the proxy of one of them, or give it another --label.`;

/** One per device that can start agents: its latest connection counts. */
export function machinesOf(connected: readonly Peer[]): readonly Peer[] {
  const able = connected.filter(({ features }) => !features.has(NO_LAUNCH));
  return [...new Map(able.map((proxy) => [proxy.device_id, proxy])).values()];
}

/** CHT-182 to CHT-184 */
export function pickProxy(connected: readonly Peer[], machine_label: string | undefined): Choice {
  const proxies = machinesOf(connected).filter(
    (proxy) => machine_label === undefined || proxy.machine_label === machine_label,
  );
  const [proxy, ...others] = proxies;
  if (proxy === undefined) {
    const which = machine_label === undefined ? 'No proxy' : `No proxy of ${machine_label}`;
    return { error_code: 'no_proxy_connected', reason: `${which} is connected. Start it on that machine.` };
  }
  if (others.length === 0) return { proxy };
  if (others.some((other) => areNamesakes(proxy, other)))
    return { error_code: 'invalid_message', reason: oneName(proxy) };
  const labels = proxies.map((each) => each.machine_label).join(', ');
  return { error_code: 'invalid_message', reason: `Several proxies are connected. Name one of: ${labels}.` };
}

const isAgentType = (name: string | undefined): name is Session['agent_type'] =>
  name === 'claude' || name === 'codex' || name === 'gemini';

/** CHT-189: session data before its proxy has listed it. */
export function launchedSession(session_id: string, agent: string | undefined): Session {
  if (isAgentType(agent)) return { session_id, agent_type: agent, status: 'healthy' };
  return { session_id, agent_type: 'unknown', status: 'healthy', ...(agent && { agent_name: agent }) };
}
