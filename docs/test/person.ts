import { connectChat } from '@drawbridge/link/chat';

/** A person who allows once whatever is asked. `paired`: what `drawbridge pair --json` printed. */
export async function connectPerson(paired: string): Promise<AsyncDisposable> {
  const { token, pair_url }: { readonly token: string; readonly pair_url: string } = JSON.parse(paired);
  const url = `${new URL(pair_url).origin.replace(/^http/, 'ws')}/ws/chat`;
  const link = connectChat({ url, token, peer_role: 'browser', client_name: 'guide' });
  link.onEvent((event) => {
    if (event.type !== 'permission_prompt') return;
    const { session_id, prompt_id } = event;
    const choice_id = event.choices.find(({ effect }) => effect === 'allow')?.choice_id ?? 'once';
    link.request({ type: 'permission_response', session_id, prompt_id, choice_id }).catch(() => undefined);
  });
  await new Promise<void>((resolve) => link.onState(({ kind }) => kind === 'open' && resolve()));
  return { [Symbol.asyncDispose]: async () => link.close() };
}
