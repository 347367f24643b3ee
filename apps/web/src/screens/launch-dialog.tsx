import { Button, Dialog, Notice, ownCommand, SelectField, TextField, useWords } from '@drawbridge/ui';
import { type ReactNode, useId, useState } from 'react';
import { useApp, useAppState } from '../app-context.ts';
import { type Machine, machineApi, type OfferedAgent } from '../client/machine-api.ts';
import { tabApi } from '../client/tab-api.ts';
import { navigate, sessionPath } from '../route.ts';
import { agentMarks } from '../state/agent-marks.ts';
import { isShared, launchFolders } from '../state/launch-folders.ts';
import { CommandLine } from './command-line.tsx';
import { type BrowserChoice, LaunchBrowser, usualChoice } from './launch-browser.tsx';
import { usePolled } from './use-polled.ts';

/** Accepted by the relay (CHT-61). */
const NAME = '[a-zA-Z][a-zA-Z0-9_\\-]*(\\.[a-zA-Z][a-zA-Z0-9_\\-]*)*';
/** A machine appears soon after its proxy has started. */
const EVERY_MS = 3_000;
const ELSEWHERE = '';

/** Offers only machines, agents and folders that are there. */
export function LaunchDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { value: machines, problem } = usePolled(machineApi.list, EVERY_MS, words);
  return (
    <Dialog title={words.launch.title} onClose={onClose}>
      {problem !== undefined ? (
        <Notice meaning="fail" className="rounded-card">
          {problem}
        </Notice>
      ) : machines === undefined ? (
        <p className="text-quiet">{words.launch.looking}</p>
      ) : machines.length === 0 ? (
        <NoMachine />
      ) : (
        <LaunchForm machines={machines} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NoMachine() {
  const words = useWords();
  return (
    <div className="flex flex-col gap-3">
      <p>{words.launch.noMachine}</p>
      <CommandLine command={`${ownCommand()} proxy`} />
      <p className="text-meta text-quiet">{words.launch.noMachineNext}</p>
      <p>{words.launch.noAgentYet}</p>
      <CommandLine command={`${ownCommand()} proxy --agent demo`} />
    </div>
  );
}

interface LaunchFormProps {
  readonly machines: readonly Machine[];
  readonly onClose: () => void;
}

function LaunchForm({ machines, onClose }: LaunchFormProps) {
  const words = useWords();
  const { client } = useApp();
  const sessions = useAppState((state) => state.sessions);
  const [label, setLabel] = useState<string>();
  const [agent, setAgent] = useState<string>();
  const [folder, setFolder] = useState<string>();
  const [other, setOther] = useState('');
  const [title, setTitle] = useState('');
  const [browser, setBrowser] = useState<BrowserChoice>();
  const { value: tabs = [] } = usePolled(tabApi.list, EVERY_MS, words);

  const machine = machines.find(({ machine_label }) => machine_label === label) ?? machines[0];
  if (machine === undefined) return null;
  const { machine_label, offer } = machine;
  const shared = offer?.workspaces ?? [];
  const folders = launchFolders(machine_label, shared, sessions.values());
  const agents = offer?.agents ?? [];
  const marks = agentMarks(agents.map(({ display_name }) => display_name));
  const usual = agents.find(({ sign_in }) => sign_in !== 'needed') ?? agents[0];
  const agent_type = agents.find((one) => one.agent_type === agent)?.agent_type ?? usual?.agent_type;
  const isOther = folder === ELSEWHERE;
  const chosen = isOther ? ELSEWHERE : (folders.find(({ path }) => path === folder) ?? folders[0])?.path;
  const workspace = offer === undefined || isOther ? other.trim() : (chosen ?? '');
  const choice = browser ?? usualChoice(tabs);
  const isRefused = offer !== undefined && workspace !== '' && !isShared(workspace, shared);

  const start = (): void => {
    const type = agent_type ?? agent?.trim();
    if (!type || isRefused || choice.origins?.length === 0) return;
    onClose();
    const launching = client.launch({
      agent_type: type,
      machine_label,
      ...(workspace !== '' && { workspace_path: workspace }),
      ...(title.trim() !== '' && { window_title: title.trim() }),
      ...lendingOf(choice, tabs.length > 0),
    });
    void launching.then((session_id) => {
      if (session_id !== undefined) navigate(sessionPath(session_id));
    });
  };

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      {machines.length > 1 ? (
        <SelectField
          label={words.launch.machine}
          value={machine_label}
          onChoose={setLabel}
          options={machines.map((one) => ({ value: one.machine_label, label: one.machine_label }))}
        />
      ) : (
        <p className="text-meta text-quiet">{words.launch.on(machine_label)}</p>
      )}
      {offer === undefined ? (
        <TextField
          label={words.launch.otherName}
          required
          pattern={NAME}
          autoCapitalize="off"
          spellCheck={false}
          value={agent ?? ''}
          onChange={({ target }) => setAgent(target.value)}
        />
      ) : agents.length === 0 ? (
        <Notice meaning="info" className="rounded-card">
          {words.launch.noAgents(machine_label)}
        </Notice>
      ) : (
        <Choices title={words.launch.agent}>
          {agents.map((one, at) => (
            <Choice
              key={one.agent_type}
              name="agent"
              isChosen={one.agent_type === agent_type}
              onChoose={() => setAgent(one.agent_type)}
              title={one.display_name}
              mark={marks[at]}
              aside={one.version}
              note={<SignIn agent={one} isChosen={one.agent_type === agent_type} />}
            />
          ))}
        </Choices>
      )}
      {folders.length > 0 ? (
        <Choices title={words.launch.workspace}>
          {folders.map(({ path, branch, isRecent }) => (
            <Choice
              key={path}
              name="folder"
              isChosen={path === chosen}
              onChoose={() => setFolder(path)}
              title={path.split(/[/\\]/).findLast((part) => part !== '') ?? path}
              aside={[branch, isRecent ? words.launch.recent : ''].filter(Boolean).join(' · ')}
              note={<span className="font-mono text-[12px] [overflow-wrap:anywhere]">{path}</span>}
            />
          ))}
          <Choice
            name="folder"
            isChosen={isOther}
            onChoose={() => setFolder(ELSEWHERE)}
            title={words.launch.otherFolder}
          />
        </Choices>
      ) : null}
      {isOther || offer === undefined ? (
        <TextField
          label={words.launch.path}
          hint={
            isRefused ? (
              <span className="text-fail">{words.launch.notShared}</span>
            ) : (
              words.launch.workspaceHint
            )
          }
          aria-invalid={isRefused}
          required={isOther}
          autoCapitalize="off"
          spellCheck={false}
          value={other}
          onChange={({ target }) => setOther(target.value)}
        />
      ) : null}
      <LaunchBrowser tabs={tabs} choice={choice} onChoose={setBrowser} />
      <TextField label={words.launch.name} value={title} onChange={({ target }) => setTitle(target.value)} />
      <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-col border-t border-line bg-surface p-4 pb-[max(16px,env(safe-area-inset-bottom))]">
        <Button look="primary" type="submit" disabled={offer !== undefined && agents.length === 0}>
          {words.launch.start}
        </Button>
      </div>
    </form>
  );
}

/** Where no tab is lent and nobody decided, the agent asks when it first wants one (CHT-361). */
const lendingOf = ({ isOn, origins }: BrowserChoice, hasTabs: boolean) => {
  if (!isOn) return hasTabs ? { browser: false } : {};
  return { browser: true, ...(origins && { browser_origins: [...origins] }) };
};

function SignIn({ agent, isChosen }: { readonly agent: OfferedAgent; readonly isChosen: boolean }) {
  const words = useWords();
  const { sign_in, hint } = agent;
  const isHinted = hint !== undefined && (isChosen || sign_in === 'needed');
  return (
    <>
      <span className={sign_in === 'needed' ? 'text-wait' : ''}>
        {sign_in === 'unknown' && !isHinted ? words.launch.installed : words.launch.signIn[sign_in]}
      </span>
      {isHinted ? (
        <span className="mt-1 block">
          <CommandLine command={hint} />
        </span>
      ) : null}
    </>
  );
}

function Choices({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-meta text-quiet">{title}</legend>
      <div className="flex flex-col gap-1">{children}</div>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly title: string;
  /** Two letters of an agent's name. */
  readonly mark?: string | undefined;
  readonly aside?: string | undefined;
  readonly note?: ReactNode;
}

function Choice({ name, isChosen, onChoose, title, mark, aside = '', note }: ChoiceProps) {
  const id = useId();
  return (
    <div
      className={`flex gap-2 rounded-card border px-3 py-2 ${isChosen ? 'border-accent bg-accent-soft' : 'border-line'}`}
    >
      <input
        id={id}
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1">
        <label
          htmlFor={id}
          className="flex cursor-pointer flex-wrap items-baseline gap-x-2 pointer-coarse:min-h-7"
        >
          {mark === undefined ? null : (
            <span
              aria-hidden
              className="grid size-6 place-items-center self-center rounded-md bg-sunken text-[12px] font-semibold text-quiet"
            >
              {mark}
            </span>
          )}
          <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
          <span className="text-meta text-quiet [overflow-wrap:anywhere]">{aside}</span>
        </label>
        {note ? <div className="text-meta text-quiet">{note}</div> : null}
      </div>
    </div>
  );
}
