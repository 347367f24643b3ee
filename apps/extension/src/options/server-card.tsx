import { Button, CheckField, Notice, TextField } from '@drawbridge/ui';
import { useState } from 'react';
import { Card } from '../panel/card.tsx';
import { useWorkerState } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import { DEFAULT_TASK_SERVER, taskServerProblem } from '../task-server/task-server-settings.ts';
import type { TaskServerState } from '../wire.ts';
import { useSaving } from './use-saving.tsx';

export function ServerCard() {
  const words = usePanelWords();
  const { settings, taskServer } = useWorkerState();
  const { save, said } = useSaving();
  const [on, setOn] = useState(settings.taskServer.on);
  const [url, setUrl] = useState(settings.taskServer.url);
  const [seconds, setSeconds] = useState(String(settings.taskServer.connectSeconds));
  const [wrong, setWrong] = useState<string>();
  const submit = (): void => {
    const connectSeconds = Number(seconds);
    const address = url.trim();
    const isAddress = taskServerProblem(address, DEFAULT_TASK_SERVER.connectSeconds) === undefined;
    const isInTime = taskServerProblem(DEFAULT_TASK_SERVER.url, connectSeconds) === undefined;
    const problem = !isAddress ? words.options.badServer : isInTime ? undefined : words.options.badSeconds;
    setWrong(problem);
    if (problem === undefined) void save({ taskServer: { on, url: address, connectSeconds } });
  };
  return (
    <Card title={words.options.server} says={words.options.serverSays}>
      <form
        className="flex flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <CheckField label={words.options.serverOn} checked={on} onCheck={setOn} />
        <TextField
          label={words.options.serverUrl}
          hint={words.options.serverUrlHint}
          value={url}
          spellCheck={false}
          onChange={({ target }) => setUrl(target.value)}
        />
        <TextField
          label={words.options.seconds}
          inputMode="numeric"
          value={seconds}
          onChange={({ target }) => setSeconds(target.value)}
        />
        <p className="text-meta text-quiet">{serverText(taskServer, words.link)}</p>
        {wrong ? <Notice meaning="fail">{wrong}</Notice> : null}
        <Button type="submit" className="self-start">
          {words.options.save}
        </Button>
      </form>
      {said}
    </Card>
  );
}

type LinkWords = ReturnType<typeof usePanelWords>['link'];

function serverText(server: TaskServerState, words: LinkWords): string {
  switch (server.kind) {
    case 'off':
      return '';
    case 'online':
      return words.serverOnline(server.url);
    case 'connecting':
      return words.serverConnecting(server.url);
    case 'waiting':
      return words.serverWaiting(server.url, server.why);
  }
}
