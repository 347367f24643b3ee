import { Disclosure, TimeAgo, useWords } from '@drawbridge/ui';
import { useEffect, useState } from 'react';
import { type NoticeRow, noticeApi } from '../client/notice-api.ts';

const SHOWN = 20;

/** Delivery states of recent notifications. */
export function NoticeLog() {
  const words = useWords();
  return (
    <Disclosure summary={words.notices.log} className="mt-2">
      {() => <Rows />}
    </Disclosure>
  );
}

function Rows() {
  const words = useWords();
  const [rows, setRows] = useState<readonly NoticeRow[]>();
  useEffect(() => {
    noticeApi.log().then(setRows, () => setRows([]));
  }, []);
  if (rows === undefined) return null;
  if (rows.length === 0) return <p className="text-meta text-quiet">{words.notices.noLog}</p>;
  return (
    <ol className="text-meta">
      {rows
        .toSorted((a, b) => b.at - a.at)
        .slice(0, SHOWN)
        .map(({ notice_id, title, state, reason, at }) => (
          <li key={notice_id} className="flex items-baseline gap-2 py-1">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {title}
              <span className={`block ${state === 'failed' ? 'text-fail' : 'text-quiet'}`}>
                {words.notices.states[state]}
                {reason ? ` · ${words.notices.reasons[reason]}` : ''}
              </span>
            </span>
            <span className="shrink-0 text-quiet">
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
    </ol>
  );
}
