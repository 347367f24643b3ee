import type { FrameOf } from '@drawbridge/link/chat';
import { type Session, type Work, workOf } from '@drawbridge/protocol';
import {
  Button,
  Confirm,
  exactTime,
  type HealthPart,
  HealthParts,
  IconButton,
  PlanSteps,
  SelectField,
  sessionName,
  shortCount,
  TimeAgo,
  useWords,
} from '@drawbridge/ui';
import { X } from '@drawbridge/ui/icons';
import { Fragment, type ReactNode, useState } from 'react';
import { useApp, useAppState } from '../app-context.ts';
import { isAway, isOver } from '../state/activity.ts';
import type { LinkView } from '../state/app-state.ts';
import type { Conversation } from '../state/conversation.ts';
import { BrowserPicture, shownTab, useSessionBrowser } from './session-browser.tsx';

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-0">
      <h2 className="mb-2 text-meta font-semibold text-quiet">{title}</h2>
      {children}
    </section>
  );
}

/** The right column: plan, health, live tab, grants, model. */
export function DetailsPane({
  session_id,
  onClose,
  isViewHere,
}: {
  readonly session_id: string;
  /** The agent's tab is shown here and not above the conversation. */
  readonly isViewHere: boolean;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const session = useAppState((state) => state.sessions.get(session_id));
  const conversation = useAppState((state) => state.talks.get(session_id));
  const link = useAppState((state) => state.link);
  const { steps: tasks, ...work } = workOf(session?.activity);
  const steps = conversation?.plan?.steps ?? tasks;
  return (
    <div className="h-full overflow-y-auto">
      <div className="flex items-center justify-between ps-4 pe-1 pt-1 desk:hidden">
        <h1 className="font-semibold">{words.session.details}</h1>
        <IconButton label={words.session.hideDetails} icon={<X size={18} aria-hidden />} onClick={onClose} />
      </div>
      {isViewHere ? <AgentTab session_id={session_id} /> : null}
      {steps ? (
        <Section title={words.session.plan}>
          <PlanSteps steps={steps} />
        </Section>
      ) : null}
      <AgentWork session_id={session_id} work={work} />
      <AgentChats session_id={session_id} />
      {session && isOver(session) ? null : (
        <Section title={words.link.health}>
          <Health session={session} link={link} />
        </Section>
      )}
      {conversation && session ? (
        <Control session={session} conversation={conversation} isOnline={link.kind === 'open'} />
      ) : null}
      {session ? <Facts session={session} conversation={conversation} /> : null}
    </div>
  );
}

/** CHT-354, CHT-370: the agent's goal, what it does now, and its provider's limit, as newer peers say them. */
function AgentWork({
  session_id,
  work,
}: {
  readonly session_id: string;
  readonly work: Omit<Work, 'steps'>;
}) {
  const words = useWords();
  const limit = useAppState((state) => state.limits.get(session_id));
  const texts = { ...work, ...(limit && { limit: limitText(limit, words) }) };
  const rows = (['goal', 'current', 'thinking', 'usage', 'limit'] as const).flatMap((key) => {
    const text = texts[key];
    return text === undefined ? [] : [{ key, text }];
  });
  if (rows.length === 0) return null;
  return (
    <Section title={words.session.now}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-meta">
        {rows.map(({ key, text }) => (
          <Fragment key={key}>
            <dt className="text-quiet">{words.session.work[key]}</dt>
            <dd className="line-clamp-4 [overflow-wrap:anywhere]">{text}</dd>
          </Fragment>
        ))}
      </dl>
      {work.goal === undefined ? null : <GoalButtons session_id={session_id} goalState={work.goalState} />}
    </Section>
  );
}

function limitText(limit: FrameOf<'rate_limit_active'>, words: ReturnType<typeof useWords>): string {
  const { percent_used, hard_limited } = limit;
  const reset_at: unknown = Reflect.get(limit, 'reset_at');
  const at = typeof reset_at === 'string' ? Date.parse(reset_at) : Number.NaN;
  const { limited, limitUsed, limitUntil } = words.session;
  return [
    hard_limited === true || percent_used === undefined
      ? limited
      : limitUsed(String(Math.round(percent_used))),
    ...(Number.isNaN(at) ? [] : [limitUntil(exactTime(at, words))]),
  ].join(', ');
}

const GOAL_ACTIONS = ['pause', 'resume'] as const;

/** CHT-371: both are offered where nobody knows whether the goal is paused, and after a refusal. */
function GoalButtons({
  session_id,
  goalState,
}: {
  readonly session_id: string;
  readonly goalState: Work['goalState'];
}) {
  const words = useWords();
  const { client } = useApp();
  const isOnline = useAppState(({ link }) => link.kind === 'open');
  const config = useAppState((state) => state.talks.get(session_id)?.config);
  const [{ isAsked, problem }, setState] = useState<{ isAsked: boolean; problem?: string | undefined }>({
    isAsked: false,
  });
  if (Reflect.get(config?.capabilities ?? {}, 'goal_pause_resume') !== true) return null;
  const isUnsure = goalState === undefined || problem !== undefined;
  const fitting = goalState === 'paused' ? 'resume' : 'pause';
  const ask = async (action: 'pause' | 'resume'): Promise<void> => {
    setState({ isAsked: true });
    setState({ isAsked: false, problem: await client.setGoal(session_id, action) });
  };
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {GOAL_ACTIONS.filter((action) => isUnsure || action === fitting).map((action) => (
        <Button key={action} disabled={!isOnline || isAsked} onClick={() => void ask(action)}>
          {action === 'pause' ? words.session.goalPause : words.session.goalResume}
        </Button>
      ))}
      <p role="status" className="w-full text-meta text-fail empty:hidden">
        {problem && words.session.goalFailed(problem)}
      </p>
    </div>
  );
}

/** CHT-351: the conversations on the agent's own screen. There is no frame that opens one. */
function AgentChats({ session_id }: { readonly session_id: string }) {
  const words = useWords();
  const listed = useAppState((state) => state.chatLists.get(session_id)) ?? [];
  const chats = listed.filter(({ kind }) => kind === 'chat' || kind === 'project');
  if (chats.length === 0) return null;
  return (
    <Section title={words.session.chats}>
      <ul className="flex flex-col gap-1 text-meta">
        {chats.map(({ id, kind, title, active }) => (
          <li
            key={`${kind} ${id}`}
            className={`[overflow-wrap:anywhere] ${kind === 'project' ? 'mt-1 text-quiet' : ''} ${active ? 'font-semibold' : ''}`}
            {...(active && { 'aria-current': true })}
          >
            {title}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The tab that the session's agent uses, live. */
function AgentTab({ session_id }: { readonly session_id: string }) {
  const words = useWords();
  const browser = useSessionBrowser(session_id);
  if (shownTab(browser) === undefined) return null;
  return (
    <Section title={words.browser.title}>
      <BrowserPicture {...browser} />
    </Section>
  );
}

function Health({ session, link }: { readonly session: Session | undefined; readonly link: LinkView }) {
  const words = useWords();
  const isOnline = link.kind === 'open';
  const unknown = { state: 'unknown', says: words.link.unknown } as const;
  const status = session?.status ?? 'disconnected';
  const isGone = session === undefined || isAway(session);
  const parts: readonly HealthPart[] = [
    {
      name: words.link.phoneRelay,
      state: isOnline ? 'up' : 'down',
      says: isOnline ? words.link.up : words.link.down,
    },
    {
      name: words.link.relayProxy,
      ...(isOnline
        ? {
            state: isGone ? ('down' as const) : ('up' as const),
            says: isGone ? words.link.down : words.link.up,
          }
        : unknown),
    },
    {
      name: words.link.agent,
      ...(isOnline && !isGone
        ? { state: status === 'healthy' ? ('up' as const) : ('problem' as const), says: words.health[status] }
        : { state: 'unknown' as const, says: isOnline ? words.health.disconnected : words.link.unknown }),
    },
  ];
  return <HealthParts parts={parts} />;
}

interface ControlProps {
  readonly session: Session;
  readonly conversation: Conversation;
  readonly isOnline: boolean;
}

function Control({ session, conversation, isOnline }: ControlProps) {
  const words = useWords();
  const { client } = useApp();
  const { config, model } = conversation;
  if (config === undefined) return null;
  const models = [...new Set([config.model_id, ...(config.available_models ?? [])])];
  // An agent without models reports this one.
  const hasModel = config.model_id !== 'unknown' || models.length > 1;
  const hasMode = canChooseMode(config);
  if (!hasModel && !hasMode && !config.permission_mode && !config.file_access_scope) return null;
  const canChange =
    config.capabilities?.set_model === true && models.length > 1 && isOnline && !isAway(session);
  const note = model.wanted
    ? words.session.modelPending(model.wanted)
    : model.problem && words.session.modelFailed(model.problem);
  return (
    <section className="flex flex-col gap-2 border-b border-line px-4 py-3">
      {hasModel ? (
        <SelectField
          label={words.session.model}
          value={config.model_id}
          disabled={!canChange || model.wanted !== undefined}
          options={models.map((value) => ({ value, label: value }))}
          onChoose={(model_id) => client.setModel(session.session_id, model_id)}
          hint={note}
        />
      ) : null}
      <ModePicker session={session} conversation={conversation} isOnline={isOnline} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-meta">
        {config.permission_mode && !hasMode ? (
          <>
            <dt className="text-quiet">{words.session.mode}</dt>
            <dd>{config.permission_mode_name ?? words.session.modes[config.permission_mode]}</dd>
          </>
        ) : null}
        {config.file_access_scope ? (
          <>
            <dt className="text-quiet">{words.session.files}</dt>
            <dd>{words.session.scopes[config.file_access_scope]}</dd>
          </>
        ) : null}
      </dl>
    </section>
  );
}

type Config = NonNullable<Conversation['config']>;

const canChooseMode = ({ capabilities, available_modes = [] }: Config): boolean =>
  capabilities?.permission_mode_change === true && available_modes.length > 0;

/**
 * The mode decides what an agent may do without asking: confirmed before it is sent, and shown when reported.
 */
function ModePicker({ session, conversation: { config, mode }, isOnline }: ControlProps) {
  const words = useWords();
  const { client } = useApp();
  const [asked, setAsked] = useState<string>();
  if (config === undefined || !canChooseMode(config)) return null;
  const { available_modes: modes = [], mode_id = '' } = config;
  const named = (id: string) => modes.find((each) => each.mode_id === id)?.name ?? id;
  const chosen = modes.find((each) => each.mode_id === asked);
  const options = modes.map(({ mode_id: value, name: label }) => ({ value, label }));
  const note = mode.wanted
    ? words.session.modelPending(named(mode.wanted))
    : mode.problem && words.session.modeFailed(mode.problem);
  return (
    <>
      <SelectField
        label={words.session.mode}
        value={mode_id}
        disabled={!isOnline || isAway(session) || mode.wanted !== undefined}
        options={
          options.some(({ value }) => value === mode_id)
            ? options
            : [{ value: mode_id, label: mode_id }, ...options]
        }
        onChoose={setAsked}
        hint={note}
      />
      {chosen ? (
        <Confirm
          title={words.session.modeAsk(chosen.name)}
          says={chosen.description ?? words.session.modeSays}
          action={words.session.modeChange}
          onClose={() => setAsked(undefined)}
          onConfirm={() => client.setMode(session.session_id, chosen.mode_id)}
        />
      ) : null}
    </>
  );
}

function Facts({
  session,
  conversation,
}: {
  readonly session: Session;
  readonly conversation: Conversation | undefined;
}) {
  const words = useWords();
  const usage = conversation?.usage;
  const { machine_label, workspace_path, last_seen_at } = session;
  const used =
    usage?.used === undefined
      ? ''
      : shortCount(usage.used) + (usage.size ? ` / ${shortCount(usage.size)}` : '');
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.session.machine, machine_label !== sessionName(session) && machine_label],
    [
      words.session.workspace,
      workspace_path && <span className="font-mono text-[12px]">{workspace_path}</span>,
    ],
    [words.session.lastSeen, isAway(session) && last_seen_at && <TimeAgo at={Date.parse(last_seen_at)} />],
    [words.session.context, used && words.session.tokens(used)],
    [
      words.session.spent,
      usage?.input_tokens !== undefined &&
        usage.output_tokens !== undefined &&
        words.session.inAndOut(shortCount(usage.input_tokens), shortCount(usage.output_tokens)),
    ],
    [words.session.cost, costText(usage?.cost, words.locale)],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 px-4 py-3 text-meta">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** As an agent reports it (ACP): an amount in a currency. */
function costText(cost: Readonly<Record<string, unknown>> | undefined, locale: string): string {
  const { amount, currency } = cost ?? {};
  if (typeof amount !== 'number' || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return '';
  const digits = amount > 0 && amount < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}
