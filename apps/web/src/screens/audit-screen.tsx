import { Button, Notice, TimeAgo, useWords } from '@drawbridge/ui';
import { Download } from '@drawbridge/ui/icons';
import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import type { Device } from '../client/api.ts';
import { type AuditPage, type AuditQuery, auditApi } from '../client/audit-api.ts';
import { problemText } from '../client/request.ts';
import { AuditFilters } from './audit-filters.tsx';
import { useAuditText } from './audit-names.ts';
import { ScreenFrame } from './screen-frame.tsx';

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

export function AuditScreen() {
  const words = useWords();
  return (
    <ScreenFrame title={words.audit.title} says={words.audit.says}>
      <AuditLog />
    </ScreenFrame>
  );
}

const NOTHING: AuditPage = { audit: [], next: null };

function AuditLog() {
  const words = useWords();
  const { api } = useApp();
  const [query, setQuery] = useState<AuditQuery>({});
  const [found, setFound] = useState<AuditPage>();
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [problem, setProblem] = useState<string>();
  const failed = useCallback((error: unknown) => setProblem(problemText(error, words)), [words]);
  useEffect(() => {
    let isOver = false;
    setProblem(undefined);
    auditApi.page(query).then(
      (page) => {
        if (!isOver) setFound(page);
      },
      (error: unknown) => {
        if (!isOver) failed(error);
      },
    );
    // An answer to an earlier request may arrive late.
    return () => {
      isOver = true;
    };
  }, [query, failed]);
  useEffect(() => {
    api.devices().then(setDevices, () => {});
  }, [api]);
  const { audit, next } = found ?? NOTHING;
  const more = (before: number): void => {
    auditApi
      .page(query, before)
      .then((page) => setFound({ ...page, audit: [...audit, ...page.audit] }), failed);
  };
  const textOf = useAuditText(devices);
  return (
    <>
      {problem ? (
        <Notice meaning="fail" className="rounded-card">
          {problem}
        </Notice>
      ) : null}
      <AuditFilters query={query} devices={devices} onChange={setQuery} />
      <Button
        className="self-start"
        icon={<Download size={16} aria-hidden />}
        onClick={() =>
          void auditApi
            .all(query)
            .then((entries) => save('drawbridge-audit.json', JSON.stringify(entries, null, 2)), failed)
        }
      >
        {words.audit.export}
      </Button>
      {found === undefined ? null : (
        <ol className="divide-y divide-line rounded-card border border-line bg-surface">
          {audit.map((entry) => {
            const { sentence, more: rest } = textOf(entry);
            return (
              <li key={entry.number} className="px-4 py-2">
                <p className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{sentence}</span>
                  <span className="shrink-0 text-meta text-quiet">
                    <TimeAgo at={entry.at} />
                  </span>
                </p>
                {rest === '' ? null : <p className="text-meta text-quiet [overflow-wrap:anywhere]">{rest}</p>}
              </li>
            );
          })}
          {audit.length === 0 ? (
            <li className="px-4 py-6 text-center text-quiet">
              {Object.keys(query).length > 0 ? words.audit.noMatch : words.audit.empty}
            </li>
          ) : null}
        </ol>
      )}
      {next === null ? null : <Button onClick={() => more(next)}>{words.audit.more}</Button>}
    </>
  );
}
