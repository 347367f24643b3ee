import { methods } from '@agentclientprotocol/sdk';
import { startAgent } from './agent-process.ts';
import type { AcpMeans } from './conversation.ts';
import type { AcpProfile } from './profiles.ts';

const LOAD_MS = 30_000;

/**
 * Texts that the agent's stored conversation has from people, in order. Reads them in a separate process,
 * because a running one does not replay. Undefined when the agent cannot load conversations.
 */
export async function readPastSends(
  profile: AcpProfile,
  {
    cwd,
    sessionId,
    register,
  }: { readonly cwd: string; readonly sessionId: string; readonly register: AcpMeans['register'] },
): Promise<readonly string[] | undefined> {
  const said: { readonly messageId: string | undefined; text: string }[] = [];
  const signal = AbortSignal.timeout(LOAD_MS);
  const ears = {
    onUpdate: ({ update }: Parameters<Parameters<typeof startAgent>[1]['onUpdate']>[0]) => {
      if (update.sessionUpdate !== 'user_message_chunk' || update.content.type !== 'text') return;
      const messageId = update.messageId ?? undefined;
      const last = said.at(-1);
      if (messageId !== undefined && last?.messageId === messageId) last.text += update.content.text;
      else said.push({ messageId, text: update.content.text });
    },
    onPermission: async () => ({ outcome: { outcome: 'cancelled' as const } }),
    onElicitation: async () => ({ action: 'cancel' as const }),
  };
  const process = await startAgent(profile, ears, { cwd, signal, register });
  try {
    if (process.introduction.agentCapabilities?.loadSession !== true) return undefined;
    const limit = { cancellationSignal: signal, stopWaitingOnCancel: true };
    await process.agent.request(methods.agent.session.load, { cwd, mcpServers: [], sessionId }, limit);
    return said.map(({ text }) => text);
  } finally {
    await process.close();
  }
}
