import { Button, Confirm, CopyButton, Notice, ownCommand, TextField } from '@drawbridge/ui';
import { CircleCheck } from '@drawbridge/ui/icons';
import { Fragment, useState } from 'react';
import { Card } from '../panel/card.tsx';
import { usePage, useWorkerState } from '../panel/page-context.ts';
import { useCommand } from '../panel/use-command.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';

const command = (): string => `${ownCommand()} pair --role extension`;

const browserName = (): string => {
  const system = /\((?:X11; )?(Windows|Macintosh|Linux|CrOS)/.exec(navigator.userAgent)?.[1] ?? '';
  return ['Chrome', system === 'Macintosh' ? 'Mac' : system].filter(Boolean).join(' on ');
};

/** Pairs by a pasted link, or shows the pairing and ends it. */
export function PairingCard() {
  const words = usePanelWords();
  const { relay } = useWorkerState();
  return (
    <Card title={words.options.pairing} says={words.options.pairingSays}>
      {relay.kind === 'unpaired' || relay.kind === 'refused' ? (
        <PairForm />
      ) : (
        <Paired url={relay.url} device={relay.device} />
      )}
    </Card>
  );
}

export function PairForm() {
  const words = usePanelWords();
  const { ports } = usePage();
  const { relay } = useWorkerState();
  const { run, doing, problem } = useCommand();
  const [link, setLink] = useState('');
  const [name, setName] = useState(browserName);
  const [isWrong, setWrong] = useState(false);
  const pair = (): void => {
    const origin = relayOf(link);
    setWrong(origin === undefined);
    if (origin === undefined) return;
    void run({ do: 'pair', link: link.trim(), name: name.trim() || browserName() }, async () =>
      (await ports.askForSite(origin)) ? undefined : words.options.refusedSite,
    ).then((isPaired) => isPaired && setLink(''));
  };
  return (
    <form
      className="flex flex-col gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        pair();
      }}
    >
      {relay.kind === 'refused' ? <Notice meaning="wait">{words.link.relayRefused(relay.why)}</Notice> : null}
      <div>
        <p className="text-meta">{words.options.howTo}</p>
        <p className="mt-1 flex items-center gap-1 rounded-md bg-sunken ps-3">
          <code className="min-w-0 flex-1 font-mono text-[12.5px] ">
            {command()
              .split(' ')
              .map((word) => (
                // Breaks lines between words, not within `--role`.
                <Fragment key={word}>
                  <span className="whitespace-nowrap">{word}</span>{' '}
                </Fragment>
              ))}
          </code>
          <CopyButton text={command()} />
        </p>
      </div>
      <TextField
        label={words.options.link}
        hint={words.options.linkHint}
        value={link}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        onChange={({ target }) => setLink(target.value)}
      />
      <TextField
        label={words.options.name}
        value={name}
        maxLength={100}
        onChange={({ target }) => setName(target.value)}
      />
      {isWrong ? <Notice meaning="fail">{words.options.badLink}</Notice> : null}
      {problem ? <Notice meaning="fail">{words.task.failed(problem)}</Notice> : null}
      <Button
        look="primary"
        type="submit"
        className="self-start"
        disabled={doing !== undefined || link.trim() === ''}
      >
        {doing ? words.options.pairing_ : words.options.pair}
      </Button>
    </form>
  );
}

function Paired({ url, device }: { readonly url: string; readonly device: string }) {
  const words = usePanelWords();
  const { ports } = usePage();
  const { relay } = useWorkerState();
  const { run, doing, problem } = useCommand();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-start gap-2">
        <CircleCheck
          size={17}
          aria-hidden
          className={`mt-0.5 shrink-0 ${relay.kind === 'online' ? 'text-done' : 'text-wait'}`}
        />
        <span className="min-w-0">
          {words.options.paired(device)}
          <span className="block text-meta text-quiet [overflow-wrap:anywhere]">
            {relay.kind === 'online'
              ? words.link.relayOnline(url)
              : relay.kind === 'offline'
                ? words.link.relayOffline(url, relay.why)
                : words.link.relayConnecting(url)}
          </span>
        </span>
      </p>
      <p className="text-meta text-quiet">
        {words.options.model}{' '}
        <a
          href={`${url}/settings`}
          target="_blank"
          rel="noopener noreferrer"
          className="text-accent underline underline-offset-2"
        >
          {words.options.modelLink}
        </a>
      </p>
      {problem ? <Notice meaning="fail">{words.task.failed(problem)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => ports.openTab(url)}>{words.options.open}</Button>
        <Button look="danger" disabled={doing !== undefined} onClick={() => setAsking(true)}>
          {words.options.unpair}
        </Button>
      </div>
      {isAsking ? (
        <Confirm
          title={words.options.unpairAsk}
          says={words.options.unpairSays}
          action={words.options.unpair}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ do: 'unpair' })}
        />
      ) : null}
    </div>
  );
}

/** The relay's address in a pairing link; undefined for other text. */
function relayOf(link: string): string | undefined {
  const url = URL.parse(link.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || !/^#pair=.{8,}$/.test(url.hash)) return undefined;
  return url.origin;
}
