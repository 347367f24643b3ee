import { Button, IconButton, ownCommand, useWords } from '@drawbridge/ui';
import { Circle, CircleCheck, X } from '@drawbridge/ui/icons';
import type { ReactNode } from 'react';
import { isOwner, useApp, useAppState, usePreferences } from '../app-context.ts';
import { api, type Device } from '../client/api.ts';
import { machineApi } from '../client/machine-api.ts';
import { modelApi } from '../client/model-api.ts';
import { tabApi } from '../client/tab-api.ts';
import { navigate } from '../route.ts';
import { CommandLine } from './command-line.tsx';
import { usePolled } from './use-polled.ts';

const EVERY_MS = 5_000;

interface Progress {
  readonly browser: boolean;
  readonly agent: boolean;
  readonly model: boolean;
  readonly devices: readonly Device[];
}

const load = async (): Promise<Progress> => {
  const [tabs, machines, model, devices] = await Promise.all([
    tabApi.list(),
    machineApi.list(),
    modelApi.view(),
    api.devices(),
  ]);
  return {
    browser: tabs.length > 0,
    agent: machines.length > 0,
    model: model.source !== 'rules',
    devices,
  };
};

/** Another screen of a person has been here. The first device of a relay is its own machine. */
function hasOtherScreen(devices: readonly Device[], own: string): boolean {
  const machine = devices.toSorted((one, other) => one.created_at - other.created_at)[0];
  return devices
    .filter((each) => each !== machine && each.device_id !== own && each.revoked_at === null)
    .filter(({ last_seen_at }) => last_seen_at !== null)
    .some(({ roles }) => !roles.includes('runtime') && (roles.includes('owner') || roles.includes('person')));
}

/** Whether the checklist may be shown: to an owner who has not hidden it. */
export function useFirstSteps(): boolean {
  const { me } = useApp();
  const { isStarted } = usePreferences();
  return isOwner(me) && !isStarted;
}

/** Lists the parts that a new relay lacks, each with the way to it. Hidden by a person, or when all are there. */
export function FirstSteps({ onLaunch }: { readonly onLaunch: () => void }) {
  const words = useWords();
  const { me, preferences } = useApp();
  const { value } = usePolled(load, EVERY_MS, words);
  const hasSessions = useAppState((state) =>
    [...state.sessions.values()].some(({ agent_type }) => agent_type),
  );
  if (value === undefined) return null;
  const done = {
    browser: value.browser,
    agent: value.agent || hasSessions,
    phone: hasOtherScreen(value.devices, me.device_id),
    model: value.model,
  };
  const count = Object.values(done).filter(Boolean).length;
  if (count === 4) return null;
  const { first } = words;
  return (
    <section
      aria-label={first.title}
      className="mx-auto w-full max-w-md rounded-card border border-line bg-surface p-4 text-start"
    >
      <div className="flex items-center gap-2">
        <h2 className="flex-1 font-semibold">{first.title}</h2>
        <span className="text-meta text-quiet">{first.says(count, 4)}</span>
        <IconButton
          className="-me-2"
          label={first.hide}
          icon={<X size={16} aria-hidden />}
          onClick={() => preferences.set({ isStarted: true })}
        />
      </div>
      <ul className="mt-1 flex flex-col gap-3">
        <Step isDone={done.browser} {...first.browser}>
          <Go path="/tabs">{words.nav.tabs}</Go>
        </Step>
        <Step isDone={done.agent} {...first.agent}>
          <CommandLine command={`${ownCommand()} connect claude --write`} />
          <Button className="self-start text-meta" onClick={onLaunch}>
            {words.launch.title}
          </Button>
        </Step>
        <Step isDone={done.phone} {...first.phone}>
          <Go path="/devices">{words.nav.devices}</Go>
        </Step>
        <Step isDone={done.model} {...first.model}>
          <Go path="/settings">{words.tasks.setModel}</Go>
        </Step>
      </ul>
    </section>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly says: string;
  readonly children: ReactNode;
}

function Step({ isDone, title, says, children }: StepProps) {
  const words = useWords();
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-2">
      <Icon size={17} aria-hidden className={`mt-0.5 shrink-0 ${isDone ? 'text-done' : 'text-quiet'}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className={isDone ? 'text-quiet' : 'font-medium'}>
          {title}
          {isDone ? <span className="text-meta text-done"> · {words.first.done}</span> : null}
        </p>
        {isDone ? null : (
          <>
            <p className="text-meta text-quiet">{says}</p>
            {children}
          </>
        )}
      </div>
    </li>
  );
}

function Go({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <Button className="self-start text-meta" onClick={() => navigate(path)}>
      {children}
    </Button>
  );
}
