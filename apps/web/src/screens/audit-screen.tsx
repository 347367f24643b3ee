import { Button, EmptyState, Notice, TextField, TimeAgo, useWords } from '@drawbridge/ui';
import { Download } from '@drawbridge/ui/icons';
import { useCallback, useEffect, useState } from 'react';
import { isOwner, useApp } from '../app-context.ts';
import type { AuditEntry, Device } from '../client/api.ts';
import { faultText } from '../client/request.ts';
import { ScreenFrame } from './screen-frame.tsx';

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

export function AuditScreen() {
  const words = useWords();
  const { api, me } = useApp();
  const [entries, setEntries] = useState<readonly AuditEntry[]>([]);
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [hasMore, setMore] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [filter, setFilter] = useState('');
  const load = useCallback(
    (before?: number) => {
      api.audit(before).then(
        (page) => {
          setEntries((known) => (before === undefined ? page : [...known, ...page]));
          setMore(page.length === 100);
        },
        (error: unknown) => setTrouble(faultText(error, words.fault.relay)),
      );
    },
    [api, words],
  );
  useEffect(() => {
    if (!isOwner(me)) return;
    load();
    api.devices().then(setDevices, () => {});
  }, [load, api, me]);

  const nameOf = (device_id: string | null): string =>
    device_id === null
      ? words.audit.machine
      : (devices.find((device) => device.device_id === device_id)?.label ?? device_id);
  const textOf = (entry: AuditEntry): string =>
    `${entry.action} ${nameOf(entry.device_id)} ${entry.subject ?? ''} ${JSON.stringify(entry.detail ?? '')}`.toLowerCase();
  const shown = entries.filter((entry) => textOf(entry).includes(filter.toLowerCase()));

  if (!isOwner(me)) {
    return (
      <ScreenFrame title={words.audit.title}>
        <EmptyState>{words.audit.ownersOnly}</EmptyState>
      </ScreenFrame>
    );
  }
  return (
    <ScreenFrame title={words.audit.title} says={words.audit.says}>
      {trouble ? <Notice meaning="fail">{trouble}</Notice> : null}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-48 flex-1">
          <TextField
            label={words.audit.filter}
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        </div>
        <Button
          icon={<Download size={16} aria-hidden />}
          onClick={() => save('drawbridge-audit.json', JSON.stringify(shown, null, 2))}
        >
          {words.audit.export}
        </Button>
      </div>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface">
        {shown.map((entry) => (
          <li key={entry.number} className="px-4 py-2">
            <p className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
                {entry.action.replaceAll('_', ' ')}
              </span>
              <span className="shrink-0 text-meta text-quiet">
                <TimeAgo at={entry.at} />
              </span>
            </p>
            <p className="text-meta text-quiet [overflow-wrap:anywhere]">
              {words.audit.by} {nameOf(entry.device_id)}
              {entry.subject ? ` · ${nameOf(entry.subject)}` : ''}
            </p>
          </li>
        ))}
        {shown.length === 0 ? (
          <li className="px-4 py-6 text-center text-quiet">{words.audit.empty}</li>
        ) : null}
      </ol>
      {hasMore ? <Button onClick={() => load(entries.at(-1)?.number)}>{words.audit.more}</Button> : null}
    </ScreenFrame>
  );
}
