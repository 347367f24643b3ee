import { Button, CopyButton, Notice, TextField, useWords } from '@drawbridge/ui';
import { useCallback, useEffect, useState } from 'react';
import { isOwner, useApp } from '../app-context.ts';
import { problemText } from '../client/request.ts';
import { type Webhook, webhookApi } from '../client/webhook-api.ts';
import { Card } from './screen-frame.tsx';

export function WebhookCard() {
  const words = useWords();
  const { me } = useApp();
  const [webhooks, setWebhooks] = useState<readonly Webhook[]>([]);
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string>();
  const [said, setSaid] = useState<{ readonly meaning: 'done' | 'fail'; readonly text: string }>();
  const load = useCallback(() => {
    webhookApi.list().then(setWebhooks, () => {});
  }, []);
  useEffect(() => {
    if (isOwner(me)) load();
  }, [load, me]);
  if (!isOwner(me)) return null;
  const tried = <Answer,>(work: Promise<Answer>, done: (answer: Answer) => void): void => {
    setSaid(undefined);
    work
      .then(done, (error: unknown) => setSaid({ meaning: 'fail', text: problemText(error, words) }))
      .finally(load);
  };
  return (
    <Card title={words.webhooks.title}>
      <p className="text-quiet">{words.webhooks.says}</p>
      <ul className="mt-2 divide-y divide-line">
        {webhooks.map(({ webhook_id, url: address }) => (
          <li key={webhook_id} className="flex flex-wrap items-center gap-2 py-2">
            <code className="min-w-0 flex-1 truncate font-mono text-meta">{address}</code>
            <Button
              className="text-meta"
              onClick={() =>
                tried(webhookApi.test(webhook_id), ({ state }) =>
                  setSaid({
                    meaning: state === 'failed' ? 'fail' : 'done',
                    text: words.webhooks.tested[state],
                  }),
                )
              }
            >
              {words.notices.test}
            </Button>
            <Button
              look="danger"
              className="text-meta"
              onClick={() => tried(webhookApi.remove(webhook_id), () => setSecret(undefined))}
            >
              {words.webhooks.remove}
            </Button>
          </li>
        ))}
      </ul>
      {said ? (
        <Notice meaning={said.meaning} className="mt-2 rounded-card">
          {said.text}
        </Notice>
      ) : null}
      {secret ? (
        <div className="mt-2 rounded-md bg-sunken p-3">
          <p className="text-meta text-quiet">{words.webhooks.secret}</p>
          <p className="flex items-start gap-1">
            <code className="min-w-0 flex-1 font-mono text-meta [overflow-wrap:anywhere]">{secret}</code>
            <CopyButton text={secret} label={words.talk.copy} />
          </p>
        </div>
      ) : null}
      <form
        className="mt-3 flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          tried(webhookApi.add(url), (added) => {
            setSecret(added.secret);
            setUrl('');
          });
        }}
      >
        <div className="min-w-0 flex-1">
          <TextField
            label={words.webhooks.url}
            type="url"
            required
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </div>
        <Button type="submit">{words.webhooks.add}</Button>
      </form>
    </Card>
  );
}
