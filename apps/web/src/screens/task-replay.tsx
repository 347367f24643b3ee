import { StepPlayer } from '@drawbridge/ui';
import { useApp } from '../app-context.ts';
import type { Step } from './use-task-feed.ts';

/** A separate file, so that the player loads only for a replay. */
export function TaskReplay({ steps }: { readonly steps: readonly Step[] }) {
  const { api } = useApp();
  return <StepPlayer steps={steps} loadFile={api.file} />;
}
