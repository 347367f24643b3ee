import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import {
  type AgentAdapter,
  type AgentOffer,
  type AgentTarget,
  type Finding,
  type KnownTarget,
  type LaunchOrder,
  refusal,
} from '../adapter.ts';
import { AcpTarget } from './acp-target.ts';
import { type AgentProcess, startAgent, wordsOf } from './agent-process.ts';
import type { AcpMeans } from './conversation.ts';
import type { AcpProfile } from './profiles.ts';

export interface AcpAdapterOptions extends Omit<AcpMeans, 'mayRead'> {
  readonly profile: AcpProfile;
  readonly workspaces: readonly string[];
  /** Maximum number of the agent's earlier sessions shown per workspace, if it lists them. */
  readonly earlierSessions?: number;
}

const HELLO_MS = 20_000;
const DEAF = {
  onUpdate: () => {},
  onPermission: async () => ({ outcome: { outcome: 'cancelled' as const } }),
  onElicitation: async () => ({ action: 'cancel' as const }),
};

export function createAcpAdapter(options: AcpAdapterOptions): AgentAdapter {
  const { profile, workspaces, earlierSessions = 0 } = options;
  const targets = new Set<AcpTarget>();
  const prefix = `acp:${profile.name}:`;
  const closing = new AbortController();
  /** Asked once: each question starts the program. */
  let introduction: Promise<acp.InitializeResponse | undefined> | undefined;
  const introduce = (): Promise<acp.InitializeResponse | undefined> => {
    introduction ??= hello(workspaces[0] ?? process.cwd(), async (each) => each.introduction).catch(
      () => undefined,
    );
    return introduction;
  };
  /** Learned from the latest launch. */
  let signIn: AgentOffer['sign_in'] | undefined;
  let held: PromiseWithResolvers<void> | undefined;
  const means: AcpMeans = { ...options, mayRead: async () => held?.promise };

  const keep = (target: AcpTarget): AcpTarget => {
    targets.add(target);
    return target;
  };

  const hello = <Answer>(cwd: string, ask: (process: AgentProcess) => Promise<Answer>): Promise<Answer> =>
    startAgent(profile, DEAF, {
      cwd,
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(HELLO_MS)]),
      register: options.register,
    }).then(async (process) => {
      try {
        return await ask(process);
      } finally {
        await process.close();
      }
    });

  const earlier = (cwd: string): Promise<readonly acp.SessionInfo[]> =>
    hello(cwd, async ({ agent, introduction }) => {
      if (introduction.agentCapabilities?.sessionCapabilities?.list == null) return [];
      const { sessions } = await agent.request(acp.methods.agent.session.list, { cwd });
      return sessions
        .filter((session) => resolve(session.cwd) === cwd)
        .toSorted((a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''))
        .slice(0, earlierSessions);
    }).catch(() => []);

  return {
    name: profile.name,
    powers: new Set(['discover', 'launch']),
    async discover(known: readonly KnownTarget[]): Promise<readonly AgentTarget[]> {
      const own = known
        .filter(({ signature }) => signature.startsWith(prefix))
        .map(({ signature, workspace, title }) =>
          keep(
            new AcpTarget(
              {
                ...{ profile, workspace, title },
                nativeId: signature.slice(prefix.length),
                isForeign: false,
              },
              means,
            ),
          ),
        );
      if (earlierSessions === 0) return own;
      const listed = (await Promise.all(workspaces.map(earlier))).flat();
      const others = listed
        .filter(({ sessionId }) => !known.some(({ signature }) => signature === prefix + sessionId))
        .map(({ sessionId, cwd, title }) =>
          keep(
            new AcpTarget(
              { profile, workspace: cwd, title: title ?? null, nativeId: sessionId, isForeign: true },
              means,
            ),
          ),
        );
      return [...own, ...others];
    },
    /** Sessions are created only by a launch. */
    onChange: () => () => {},
    async launch({ workspace, title, signal, browser }: LaunchOrder): Promise<AgentTarget> {
      if ((await findProgram(profile.command[0])) === undefined) {
        throw refusal('agent_not_open', `${profile.command[0]} is not installed here. ${profile.install}`);
      }
      const conversation = {
        profile,
        workspace,
        title: title ?? null,
        nativeId: undefined,
        isForeign: false,
        browser,
      };
      // Registered before it starts, so that closing the adapter leaves no process behind.
      const target = keep(new AcpTarget(conversation, means));
      try {
        await target.start(signal);
        signIn = 'done';
        return target;
      } catch (error) {
        targets.delete(target);
        if (!isSignInNeeded(error)) throw error;
        signIn = 'needed';
        throw refusal(
          'agent_not_open',
          `${profile.display_name} is not signed in here.${hintOf(profile)}`,
          error,
        );
      }
    },
    async offer() {
      if ((await findProgram(profile.command[0])) === undefined) return undefined;
      const known = signIn ?? ((await hasCredentials(profile)) ? 'done' : undefined);
      const answer = await introduce();
      const guess = answer !== undefined && !answer.authMethods?.length ? 'done' : 'unknown';
      return offerOf(profile, known ?? guess, answer?.agentInfo?.version);
    },
    async diagnose(): Promise<readonly Finding[]> {
      const [program] = profile.command;
      const path = await findProgram(program);
      if (path === undefined)
        return [{ ok: false, what: `${program} is not on the PATH`, hint: profile.install }];
      const found = { ok: true, what: `${program} is ${path}` };
      try {
        return [found, ...(await hello(workspaces[0] ?? process.cwd(), async (each) => introduced(each)))];
      } catch (error) {
        const hint = `Run it yourself and see what it says: ${profile.command.join(' ')}`;
        return [found, { ok: false, what: wordsOf(error), hint }];
      }
    },
    hold: (isHeld) => {
      held?.resolve();
      held = isHeld ? Promise.withResolvers() : undefined;
    },
    async close() {
      held?.resolve();
      closing.abort();
      await introduction;
      await Promise.all([...targets].map((target) => target.end()));
    },
  };
}

function introduced({ introduction }: AgentProcess): readonly Finding[] {
  const { agentInfo, agentCapabilities: can = {}, authMethods = [] } = introduction;
  const keeps = can.loadSession === true || can.sessionCapabilities?.resume != null;
  const named = agentInfo ? ` as ${agentInfo.title ?? agentInfo.name} ${agentInfo.version}` : '';
  return [
    { ok: true, what: `it speaks ACP ${introduction.protocolVersion}${named}` },
    keeps
      ? { ok: true, what: 'its conversations outlive a restart' }
      : { ok: false, what: 'its conversations end with its process: it can neither load nor resume them' },
    ...(authMethods.length > 0
      ? [{ ok: true, what: `it may want a sign-in first: ${authMethods.map(({ name }) => name).join(', ')}` }]
      : []),
  ];
}

const hintOf = ({ signIn }: AcpProfile): string => (signIn === undefined ? '' : ` Run there: ${signIn}`);

function offerOf(profile: AcpProfile, sign_in: AgentOffer['sign_in'], version?: string): AgentOffer {
  const { name, display_name, signIn } = profile;
  return {
    agent_type: name,
    display_name,
    sign_in,
    ...(version && { version }),
    ...(sign_in !== 'done' && signIn !== undefined && { hint: signIn }),
  };
}

/** https://agentclientprotocol.com/protocol/schema: `auth_required` */
const AUTH_REQUIRED = -32_000;

const isSignInNeeded = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof acp.RequestError && error.code === AUTH_REQUIRED) || isSignInNeeded(error.cause));

/** Evidence of a sign-in. Without evidence nothing is known: some systems have a keychain. */
async function hasCredentials({ credentials = [] }: AcpProfile): Promise<boolean> {
  const found = credentials.map((one) =>
    one.startsWith('.') ? isReadable(join(homedir(), one)) : Promise.resolve(Boolean(process.env[one])),
  );
  return (await Promise.all(found)).includes(true);
}

const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

/** Searches the PATH as the system does, without starting anything. */
export async function findProgram(program: string): Promise<string | undefined> {
  const folders =
    isAbsolute(program) || program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  for (const folder of folders) {
    const path = folder === '' ? resolve(program) : join(folder, program);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
