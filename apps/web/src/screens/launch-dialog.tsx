import { Button, Dialog, SelectField, TextField, useWords } from '@drawbridge/ui';
import { useMemo, useState } from 'react';
import { useApp, useAppState } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';
import { isAway } from '../state/activity.ts';

const AGENTS = ['claude', 'codex', 'gemini'];
/** Accepted by the relay (CHT-61). */
const NAME = '[a-zA-Z][a-zA-Z0-9_\\-]*(\\.[a-zA-Z][a-zA-Z0-9_\\-]*)*';
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function LaunchDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { client } = useApp();
  const sessions = useAppState((state) => state.sessions);
  const known = useMemo(() => {
    const live = [...sessions.values()].filter((session) => !isAway(session));
    const of = (values: readonly (string | undefined)[]) => [
      ...new Set(values.filter((value) => value !== undefined)),
    ];
    return {
      machines: of(live.map(({ machine_label }) => machine_label)),
      workspaces: of([...sessions.values()].map(({ workspace_path }) => workspace_path)),
    };
  }, [sessions]);
  const [agent, setAgent] = useState('claude');
  const [other, setOther] = useState('');
  const [machine, setMachine] = useState(known.machines[0] ?? '');
  const [workspace, setWorkspace] = useState('');
  const [title, setTitle] = useState('');

  const start = (): void => {
    onClose();
    const launching = client.launch({
      agent_type: agent === '' ? other : agent,
      ...(machine !== '' && { machine_label: machine }),
      ...(workspace.trim() !== '' && { workspace_path: workspace.trim() }),
      ...(title.trim() !== '' && { window_title: title.trim() }),
    });
    void launching.then((session_id) => {
      if (session_id !== undefined) navigate(sessionPath(session_id));
    });
  };

  return (
    <Dialog title={words.launch.title} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <SelectField
          label={words.launch.agent}
          value={agent}
          onChoose={setAgent}
          options={[
            ...AGENTS.map((value) => ({ value, label: capital(value) })),
            { value: '', label: words.launch.other },
          ]}
        />
        {agent === '' ? (
          <TextField
            label={words.launch.otherName}
            required
            pattern={NAME}
            value={other}
            onChange={({ target }) => setOther(target.value)}
          />
        ) : null}
        <SelectField
          label={words.launch.machine}
          value={machine}
          onChoose={setMachine}
          options={[
            ...known.machines.map((value) => ({ value, label: value })),
            { value: '', label: words.launch.anyMachine },
          ]}
        />
        <TextField
          label={words.launch.workspace}
          hint={words.launch.workspaceHint}
          list="known-workspaces"
          autoCapitalize="off"
          spellCheck={false}
          value={workspace}
          onChange={({ target }) => setWorkspace(target.value)}
        />
        <datalist id="known-workspaces">
          {known.workspaces.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <TextField
          label={words.launch.name}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <Button look="primary" type="submit">
          {words.launch.start}
        </Button>
      </form>
    </Dialog>
  );
}
