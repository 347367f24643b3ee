import type { AttachmentStates } from './attachment-machine.ts';

export interface AttachmentStatus {
  readonly id: string;
  readonly state: 'waiting' | 'installed' | 'drifted';
}

/** The attachments in `runtime_status`. */
export function attachmentStatus(states: AttachmentStates): AttachmentStatus[] {
  return [...states].map(([id, { instances, drifted }]) => {
    if (drifted) return { id, state: 'drifted' };
    return { id, state: [...instances.values()].includes('installed') ? 'installed' : 'waiting' };
  });
}
