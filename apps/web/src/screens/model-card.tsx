import { Button, Notice, SelectField, TextField, useWords } from '@drawbridge/ui';
import { useEffect, useState } from 'react';
import { isOwner, useApp } from '../app-context.ts';
import { type ModelView, modelApi, PROVIDERS, type Provider } from '../client/model-api.ts';
import { problemText } from '../client/request.ts';
import { Card } from './screen-frame.tsx';

export function ModelCard() {
  const words = useWords();
  const { me } = useApp();
  const [view, setView] = useState<ModelView>();
  /** Resets the form after each answer, because it contains the key. */
  const [version, setVersion] = useState(0);
  const [said, setSaid] = useState<{ readonly meaning: 'done' | 'fail'; readonly text: string }>();
  useEffect(() => {
    if (isOwner(me)) modelApi.view().then(setView, () => {});
  }, [me]);
  const tried = (work: Promise<ModelView>): void => {
    setSaid(undefined);
    work.then(
      (next) => {
        setView(next);
        setVersion((known) => known + 1);
        setSaid({ meaning: 'done', text: words.settings.saved });
      },
      (error: unknown) => setSaid({ meaning: 'fail', text: problemText(error, words) }),
    );
  };
  if (!isOwner(me)) return null;
  return (
    <Card title={words.model.title}>
      <p className="text-quiet">
        {words.model.says} {view ? words.model.source[view.source] : ''}
      </p>
      {view?.problem ? (
        <Notice meaning="wait" className="mt-2 rounded-card">
          {view.problem}
        </Notice>
      ) : null}
      {said ? (
        <Notice meaning={said.meaning} className="mt-2 rounded-card">
          {said.text}
        </Notice>
      ) : null}
      {view ? <ModelForm key={version} view={view} onTry={tried} /> : null}
    </Card>
  );
}

interface ModelFormProps {
  readonly view: ModelView;
  readonly onTry: (work: Promise<ModelView>) => void;
}

function ModelForm({ view, onTry }: ModelFormProps) {
  const words = useWords();
  const [provider, setProvider] = useState<Provider>(
    PROVIDERS.find((one) => one === view.provider) ?? 'anthropic',
  );
  const [model, setModel] = useState(view.model ?? '');
  const [baseUrl, setBaseUrl] = useState(view.base_url ?? '');
  const [key, setKey] = useState('');
  return (
    <form
      className="mt-3 grid gap-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        onTry(
          modelApi.choose({
            provider,
            model: model.trim(),
            ...(baseUrl !== '' && { base_url: baseUrl }),
            ...(key !== '' && { api_key: key }),
          }),
        );
      }}
    >
      <SelectField
        label={words.model.provider}
        value={provider}
        options={PROVIDERS.map((value) => ({ value, label: words.model.providers[value] }))}
        onChoose={(value) => setProvider(PROVIDERS.find((one) => one === value) ?? 'anthropic')}
      />
      <TextField
        label={words.model.name}
        value={model}
        required
        maxLength={200}
        onChange={({ target }) => setModel(target.value)}
      />
      <TextField
        label={words.model.baseUrl}
        hint={words.model.baseUrlHint}
        type="url"
        value={baseUrl}
        required={provider === 'compatible'}
        onChange={({ target }) => setBaseUrl(target.value)}
      />
      <TextField
        label={words.model.key}
        hint={view.has_key ? words.model.keySet : words.model.keyUnset}
        type="password"
        autoComplete="off"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <div className="flex flex-wrap gap-2 sm:col-span-2">
        <Button look="primary" type="submit">
          {words.act.save}
        </Button>
        {view.source === 'settings' ? (
          <Button onClick={() => onTry(modelApi.forget())}>{words.model.forget}</Button>
        ) : null}
      </div>
    </form>
  );
}
