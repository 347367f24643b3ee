import { BridgeError, type ChatMessage, LIMITS, sessionFound, type TabSession } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { askServer, type InteractServer } from './interact-server.ts';
import { readMessage } from './messages.ts';

/** A server's sessions (contract 4, section 2). Methods throw a BridgeError. */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(server: InteractServer) {
  const ask = async (path: string): Promise<unknown> => {
    try {
      return await askServer(server, { path: `/api/session/${path}` });
    } catch (error) {
      if (error instanceof BridgeError && isMissing(error)) return undefined;
      throw error;
    }
  };
  return {
    /** Undefined when there is none. */
    latest: async (): Promise<TabSession | undefined> => sessionIn(await ask('latest')),
    byDomain: async (domain: string): Promise<TabSession | undefined> =>
      sessionIn(await ask(`by-domain/${encodeURIComponent(domain)}`)),
    async messages(sessionId: string): Promise<readonly ChatMessage[]> {
      const list = dataOf(await ask(`${encodeURIComponent(sessionId)}/messages`));
      const messages = isObject(list) && Array.isArray(list['messages']) ? list['messages'] : [];
      return messages.flatMap((message: unknown) => readMessage(sessionId, message) ?? []);
    },
    /** The model that decides in tasks; null where rules do, undefined if the server does not say. */
    async model(): Promise<string | null | undefined> {
      const answer = await askServer(server, { path: '/api/settings/model' }).catch(() => undefined);
      if (!isObject(answer)) return undefined;
      const { source, model } = answer;
      return source === 'rules' ? null : typeof model === 'string' ? model : undefined;
    },
    async rename(sessionId: string, title: string): Promise<void> {
      await askServer(server, {
        path: `/api/session/${encodeURIComponent(sessionId)}`,
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: title.slice(0, LIMITS.page_title.value) }),
      });
    },
  };
}

const isMissing = ({ code, evidence }: BridgeError): boolean =>
  code === 'session_not_found' || evidence['status'] === 404;

const dataOf = (answer: unknown): unknown =>
  isObject(answer) && isObject(answer['data']) ? answer['data'] : answer;

/** `{ session }`, or its fields at the top (INT-56, INT-157). */
function sessionIn(answer: unknown): TabSession | undefined {
  const data = dataOf(answer);
  const session = isObject(data) && 'session' in data ? data['session'] : data;
  if (!isObject(session)) return undefined;
  return sessionFound.read({ session: { title: '', isRenamed: false, ...session } }).session ?? undefined;
}
