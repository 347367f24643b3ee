import { connectChat } from '@drawbridge/link/chat';
import type { Relay } from '@drawbridge/relay';

export interface RefusingPhone {
  /** Prompts that were answered with no. */
  readonly refused: string[];
  readonly close: () => void;
}

/** A person who permits private addresses and denies everything else. */
export async function openRefusingPhone(relay: Relay): Promise<RefusingPhone> {
  const { token } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const phone = connectChat({
    url: `${relay.url.replace('http', 'ws')}/ws/chat`,
    token,
    peer_role: 'browser',
    client_name: 'test',
  });
  const refused: string[] = [];
  phone.onEvent((event) => {
    if (event.type !== 'permission_prompt') return;
    const { session_id, prompt_id, prompt_text } = event;
    const isAddress = prompt_text.includes('in your own network');
    if (!isAddress) refused.push(prompt_text);
    const choice_id = isAddress ? 'once' : 'deny';
    // The last answer may be under way when the phone is closed.
    phone.request({ type: 'permission_response', session_id, prompt_id, choice_id }).catch(() => undefined);
  });
  await new Promise<void>((resolve) => {
    phone.onState(({ kind }) => kind === 'open' && resolve());
  });
  return { refused, close: () => phone.close() };
}
