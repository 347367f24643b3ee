import { Notice, useWords } from '@drawbridge/ui';
import { useEffect, useId, useState } from 'react';
import { api, type Found } from '../client/api.ts';
import { navigate, sessionPath } from '../route.ts';
import { withoutMarks } from '../state/session-list.ts';

/** Waits until a person pauses typing. */
const TYPING_MS = 250;
const INDEXING_MS = 1_000;

export type SearchState = Found | 'searching' | 'failed' | undefined;

/** Searches the transcripts on the relay; undefined without a query. */
export function useFoundMessages(query: string): SearchState {
  const [found, setFound] = useState<SearchState>();
  useEffect(() => {
    if (query === '') {
      setFound(undefined);
      return;
    }
    const ending = new AbortController();
    let timer = setTimeout(search, TYPING_MS);
    setFound('searching');
    function search(): void {
      api.search(query.slice(0, 200), ending.signal).then(
        (answer) => {
          setFound(answer);
          if (!answer.is_complete) timer = setTimeout(search, INDEXING_MS);
        },
        () => {
          if (!ending.signal.aborted) setFound('failed');
        },
      );
    }
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);
  return found;
}

interface FoundMessagesProps {
  readonly found: SearchState;
  /** Names of open sessions. */
  readonly names: ReadonlyMap<string, string>;
}

export function FoundMessages({ found, names }: FoundMessagesProps) {
  const words = useWords();
  const id = useId();
  if (found === 'failed')
    return (
      <Notice meaning="info" className="mx-2 mt-2 rounded-card">
        {words.list.searchFailed}
      </Notice>
    );
  if (found === undefined || found === 'searching') return null;
  const { hits, is_complete } = found;
  return (
    <section aria-labelledby={id} aria-live="polite">
      {hits.length > 0 || !is_complete ? (
        <h2 className="flex gap-1 px-3 pt-3 pb-1 text-meta font-semibold text-quiet">
          <span id={id}>{words.list.inMessages}</span> <span className="tabular-nums">{hits.length}</span>
        </h2>
      ) : null}
      <ul>
        {hits.map(({ session_id, message_id, name, excerpt }) => {
          const known = names.get(session_id);
          const body = (
            <>
              <span className="block truncate text-meta text-quiet">
                {known ?? `${name} · ${words.list.closedSession}`}
              </span>
              <span className="line-clamp-2 break-words">{withoutMarks(excerpt)}</span>
            </>
          );
          return (
            <li key={`${session_id} ${message_id}`}>
              <a
                href={sessionPath(session_id)}
                className="block rounded-card px-3 py-2 hover:bg-surface focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:min-h-11"
                onClick={(event) => {
                  event.preventDefault();
                  navigate(sessionPath(session_id));
                }}
              >
                {body}
              </a>
            </li>
          );
        })}
      </ul>
      {is_complete ? null : <p className="px-3 py-1 text-meta text-quiet">{words.list.indexing}</p>}
    </section>
  );
}
