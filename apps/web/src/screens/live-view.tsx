import { Notice, useWords } from '@drawbridge/ui';
import { useEffect, useState } from 'react';
import { openEventStream } from '../client/event-stream.ts';
import { trustProblem } from '../client/request.ts';
import { isErrorPage, type LiveFrame, tabApi, type ViewEnd } from '../client/tab-api.ts';

interface LiveViewProps {
  readonly runtime_id: string;
  /** Leaves room below on a small screen. */
  readonly isLow?: boolean;
}

/** Live pictures of a tab with its secrets covered, taken only while watched. */
export function LiveView({ runtime_id, isLow = false }: LiveViewProps) {
  const words = useWords();
  const [frame, setFrame] = useState<LiveFrame>();
  const [ended, setEnded] = useState<ViewEnd['reason'] | 'lost'>();
  useEffect(() => {
    const close = openEventStream(tabApi.viewUrl(runtime_id), {
      onEvent(name, data) {
        if (name === 'frame') {
          setFrame(trustProblem(data));
          setEnded(undefined);
        }
        if (name !== 'end') return;
        close();
        setEnded(trustProblem<ViewEnd>(data).reason);
      },
      onLost: () => setEnded('lost'),
      onGone: () => setEnded('gone'),
    });
    return close;
  }, [runtime_id]);
  return (
    <figure className="overflow-hidden rounded-card border border-line">
      {frame ? (
        <>
          <img
            src={`data:${frame.mime_type};base64,${frame.image}`}
            width={frame.width}
            height={frame.height}
            alt={words.tabs.picture(frame.title ?? frame.url)}
            className={`h-auto w-full bg-sunken ${isLow ? 'max-h-[34dvh] object-contain' : ''}`}
          />
          <figcaption className="truncate px-3 py-1 font-mono text-meta text-quiet">
            {isErrorPage(frame.url) ? words.tabs.unreachable : frame.url}
          </figcaption>
        </>
      ) : ended === undefined ? (
        <p role="status" className="p-4 text-center text-quiet">
          {words.tabs.looking}
        </p>
      ) : null}
      {ended ? <Notice meaning={ended === 'lost' ? 'wait' : 'info'}>{words.tabs.ended[ended]}</Notice> : null}
    </figure>
  );
}
