import type { Activity, Session } from '@drawbridge/protocol';

/** `last_seen_at` is no change, because a proxy may update it every second. */
type Metadata = Exclude<keyof Session, 'status' | 'activity' | 'last_seen_at'>;

const METADATA: Readonly<Record<Metadata, true>> = {
  session_id: true,
  agent_type: true,
  agent_name: true,
  display_name: true,
  window_title: true,
  workspace_name: true,
  workspace_path: true,
  machine_label: true,
  target_signature: true,
  target_id: true,
  session_generation: true,
  turn_generation: true,
};

const isMetadata = (key: string): key is Metadata => key in METADATA;

/** CHT-122 */
export function sameMetadata(before: Session, now: Session): boolean {
  return Object.keys(METADATA)
    .filter(isMetadata)
    .every((key) => before[key] === now[key]);
}

export function sameActivity(before: Activity | undefined, now: Activity | undefined): boolean {
  return before?.kind === now?.kind && before?.label === now?.label && before?.kind_name === now?.kind_name;
}
