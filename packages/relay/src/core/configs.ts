import type { Write } from '@drawbridge/ledger';
import type { Controls } from './controls.ts';
import type { CoreContext } from './core-context.ts';
import { charsOf, ENTRY_TOO_LARGE, MAX_ENTRY_CHARS } from './frame-budget.ts';
import { type FrameOf, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import { storedOrRefused } from './refusals.ts';

export type Config = Omit<FrameOf<'agent_config'>, 'type' | 'session_id' | 'protocol_version'>;

/** Agent configurations. */
export type Configs = ReturnType<typeof createConfigs>;

/** CHT-251 */
export const configsShownTo = (peer: Peer, { sessions, now }: CoreContext): Record<string, Config> =>
  Object.fromEntries(
    sessions
      .shownTo(peer, now())
      .flatMap(({ session_id, config }) =>
        config === null ? [] : [[session_id, trustStored<Config>(config)] as const],
      ),
  );

const TOO_MUCH_CONFIGURED =
  'The configurations of this proxy have reached their limit. Close some sessions, or send shorter ones.';

export function createConfigs(context: CoreContext, controls: Controls) {
  const store = async (peer: Peer, frame: FrameOf<'agent_config'>): Promise<void> => {
    const { session_id, model_id, permission_mode, permission_mode_name, file_access_scope } = frame;
    const { file_access_scope_name, available_models, mode_id, available_modes, capabilities, read_at } =
      frame;
    const config = {
      model_id,
      ...(permission_mode && { permission_mode }),
      ...(permission_mode_name !== undefined && { permission_mode_name }),
      ...(file_access_scope && { file_access_scope }),
      ...(file_access_scope_name !== undefined && { file_access_scope_name }),
      ...(available_models && { available_models }),
      ...(mode_id !== undefined && { mode_id }),
      ...(available_modes && { available_modes }),
      ...(capabilities && { capabilities }),
      ...(read_at && { read_at }),
    };
    const writes: readonly Write[] = [
      { do: 'update_session', session_id, config: trustJson(config) },
      context.event(session_id, 'agent_config', config, { at: context.now() }),
    ];
    await storedOrRefused(context, peer, frame, context.commit(session_id, writes));
  };

  return {
    /** CHT-250, CHT-251 */
    update: (peer: Peer, frame: FrameOf<'agent_config'>, text: string): void => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return;
      if (text.length > MAX_ENTRY_CHARS) {
        peer.refuse(frame, 'invalid_message', ENTRY_TOO_LARGE);
        return;
      }
      const standing = charsOf(session.reported ?? session.shown) + text.length;
      if (!context.sessions.hasRoomFor(peer.device_id, frame.session_id, standing, context.now())) {
        peer.refuse(frame, 'send_rejected', TOO_MUCH_CONFIGURED);
        return;
      }
      controls.configured(frame.session_id);
      context.run(store(peer, frame));
    },
  };
}
