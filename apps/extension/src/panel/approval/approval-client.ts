import { ChatRefusal, connectChat } from '@drawbridge/link/chat';
import type { QuestionPicture } from '@drawbridge/ui';
import { askServer, type InteractServer } from '../../interact/interact-server.ts';
import type { Pairing } from '../../wire.ts';
import { type ApprovalInput, type Approvals, foldApprovals, NO_APPROVALS } from './approvals-fold.ts';
import { parseQuestionPicture } from './question-picture.ts';

/** The panel's connection to the relay for prompts and answers. */
export type ApprovalClient = ReturnType<typeof openApprovalClient>;

const OVER = ['prompt_not_found', 'delivery_unknown'];

export function openApprovalClient({ url, token }: Pairing) {
  const server: InteractServer = { url, token, fetch: (...asked) => fetch(...asked) };
  const listeners = new Set<() => void>();
  let known = NO_APPROVALS;
  let closed = false;
  const put = (input: ApprovalInput): void => {
    if (closed) return;
    known = foldApprovals(known, input);
    for (const listener of [...listeners]) listener();
  };
  const link = connectChat({
    url: `${url.replace(/^http/, 'ws')}/ws/chat`,
    token,
    peer_role: 'browser',
    client_name: 'extension',
    features: ['prompt_answered'],
  });
  link.onState((state) => put({ type: 'link', state }));
  link.onFrame((frame) => put({ type: 'frame', frame }));
  link.onEvent((event) => put({ type: 'event', event }));

  return {
    get: (): Approvals => known,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The reason goes with a denial, for the agent to read. */
    answer(prompt_id: string, choice_id: string, reason?: string): void {
      const prompt = known.prompts.get(prompt_id);
      if (prompt === undefined) return;
      const { session_id, detected_at } = prompt;
      put({ type: 'answering', prompt_id, choice_id });
      link
        .request({
          type: 'permission_response',
          session_id,
          prompt_id,
          choice_id,
          ...(detected_at !== undefined && { detected_at }),
          ...(reason !== undefined && { reason }),
        })
        .catch((error: unknown) => {
          const isOver = error instanceof ChatRefusal && OVER.includes(error.code);
          const problem = error instanceof Error ? error.message : String(error);
          put({ type: 'problem', prompt_id, problem, isOver });
        });
    },
    /** The page of a question as it looks now; undefined where the browser gives no picture. */
    picture: async (prompt_id: string): Promise<QuestionPicture | undefined> =>
      parseQuestionPicture(
        await askServer(server, { path: `/api/prompts/${encodeURIComponent(prompt_id)}/picture` }),
      ),
    close(): void {
      closed = true;
      link.close();
    },
  };
}
