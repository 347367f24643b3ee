import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SessionConfigOption, SessionInfo, SessionUpdate } from '@agentclientprotocol/sdk';

interface OpenSession {
  readonly cwd: string;
  model: string;
  mode: string;
  /** Turns under way and waiting; all are aborted when the session is cancelled. */
  readonly turns: Set<AbortController>;
  /** Settles when the latest turn has ended. */
  latest: Promise<unknown>;
}

/** The agent's sessions; with a folder they and their messages survive its process. */
export function createAgentSessions(home: string | undefined) {
  const open = new Map<string, OpenSession>();
  const fileOf = (id: string): string => join(home ?? '', `${id}.jsonl`);
  if (home !== undefined) mkdirSync(home, { recursive: true });

  const put = (id: string, cwd: string): void => {
    open.set(id, { cwd, model: 'small', mode: 'ask', turns: new Set(), latest: Promise.resolve() });
  };
  return {
    get: (id: string): OpenSession => {
      const session = open.get(id);
      if (session === undefined) throw new Error(`There is no session ${id}.`);
      return session;
    },
    create: (cwd: string): string => {
      const id = `scripted_${randomUUID()}`;
      put(id, cwd);
      if (home !== undefined) writeFileSync(fileOf(id), `${JSON.stringify({ cwd })}\n`);
      return id;
    },
    /** Returns the session's messages. */
    reopen: (id: string, cwd: string): readonly SessionUpdate[] => {
      if (home === undefined || !existsSync(fileOf(id))) throw new Error(`There is no session ${id}.`);
      put(id, cwd);
      const [, ...lines] = readFileSync(fileOf(id), 'utf8').trim().split('\n');
      return lines.map((line): SessionUpdate => JSON.parse(line));
    },
    write: (id: string, update: SessionUpdate): void => {
      if (home !== undefined) appendFileSync(fileOf(id), `${JSON.stringify(update)}\n`);
    },
    list: (): SessionInfo[] =>
      home === undefined
        ? []
        : readdirSync(home).map((name) => {
            const [head = '{}'] = readFileSync(join(home, name), 'utf8').split('\n');
            return { sessionId: name.replace(/\.jsonl$/, ''), cwd: JSON.parse(head).cwd };
          }),
    close: (id: string): void => {
      open.delete(id);
      if (home !== undefined) rmSync(fileOf(id), { force: true });
    },
  };
}

export const configOf = ({ model, mode }: Pick<OpenSession, 'model' | 'mode'>): SessionConfigOption[] => [
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: model,
    options: [
      { value: 'small', name: 'Small' },
      { value: 'large', name: 'Large' },
    ],
  },
  {
    type: 'select',
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: mode,
    options: [
      { value: 'ask', name: 'Ask first' },
      { value: 'plan', name: 'Plan only' },
    ],
  },
];
