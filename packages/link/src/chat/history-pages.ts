import type { ChatLink, FrameOf } from './chat-link.ts';

/** A session's messages from the newest page to the oldest (CHT-177, CHT-270). Stop iterating at any time. */
export async function* historyPages(
  link: Pick<ChatLink, 'request'>,
  session_id: string,
  options: { readonly limit?: number; readonly before_sequence?: number } = {},
): AsyncGenerator<FrameOf<'history_snapshot'>, void, void> {
  let before = options.before_sequence;
  for (;;) {
    const page = await link.request({
      type: 'history_request',
      session_id,
      ...(options.limit !== undefined && { limit: options.limit }),
      ...(before !== undefined && { before_sequence: before }),
    });
    if (page.type !== 'history_snapshot') return;
    yield page;
    const next = page.before_sequence;
    // Stops at a relay that pages in a circle.
    if (next === undefined || (before !== undefined && next >= before)) return;
    before = next;
  }
}
