import { StepPlayer } from '@drawbridge/ui';
import { useApp } from '../app-context.ts';
import type { Step } from './use-task-feed.ts';

/** A file of its own, so that only who replays a task loads the player. */
export function TaskReplay({ steps }: { readonly steps: readonly Step[] }) {
  const { api } = useApp();
  return <StepPlayer steps={steps} loadFile={api.file} />;
}
