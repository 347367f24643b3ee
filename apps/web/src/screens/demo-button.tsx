import { Button, Notice, useWords } from '@drawbridge/ui';
import { Play } from '@drawbridge/ui/icons';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useApp, useAppState } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';

/** `none` for people who may not play it. */
export function useDemo() {
  const { demo } = useApp();
  const view = useSyncExternalStore(demo.subscribe, demo.get);
  const sessions = useAppState((state) => state.sessions);
  const play = useCallback(() => demo.play(sessions.keys()), [demo, sessions]);
  return { ...view, isThere: view.state !== 'none', play, dismiss: demo.dismiss };
}

/** Opens the conversations of the demo's agents: at the first step, and when one was launched. */
export function useDemoSession(): void {
  const { demo } = useApp();
  const { session_id: launched } = useSyncExternalStore(demo.subscribe, demo.get);
  const sessions = useAppState((state) => state.sessions);
  useEffect(() => {
    const candidates = [...(launched === undefined ? [] : [launched]), ...sessions.keys()];
    const session_id = candidates.find((each) => sessions.has(each) && demo.opens(each));
    if (session_id !== undefined) navigate(sessionPath(session_id));
  }, [sessions, demo, launched]);
}

export function DemoButton({ look }: { readonly look?: 'primary' }) {
  const words = useWords();
  const { state, play } = useDemo();
  const isPlaying = state === 'playing';
  return (
    <Button
      {...(look && { look })}
      icon={<Play size={16} aria-hidden />}
      disabled={isPlaying}
      onClick={() => void play()}
    >
      {isPlaying ? words.demo.playing : words.demo.play}
    </Button>
  );
}

const MEANINGS = { playing: 'info', played: 'done', failed: 'fail' } as const;

export function DemoHint() {
  const words = useWords();
  const { state, said, done, dismiss } = useDemo();
  if (state === 'none' || state === 'ready') return null;
  return (
    <Notice
      meaning={MEANINGS[state]}
      className="mx-2 mt-2 rounded-card"
      action={
        state === 'playing' ? null : (
          <Button look="quiet" className="min-h-7 px-1 text-meta" onClick={dismiss}>
            {words.act.dismiss}
          </Button>
        )
      }
    >
      <span lang="en">
        {done.map((outcome) => (
          <span key={outcome} className="block">
            ✓ {outcome}
          </span>
        ))}
        {said}
      </span>
    </Notice>
  );
}
