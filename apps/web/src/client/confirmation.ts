import type { Words } from '@drawbridge/ui';
import { useSyncExternalStore } from 'react';

/** A request of this browser that somebody has to confirm. */
export interface Confirmation {
  readonly id: string;
  readonly device_id: string;
  readonly device_label: string;
  readonly act: keyof Words['confirmation']['acts'];
  readonly roles: readonly string[];
  readonly label: string;
  readonly expires_at: number;
  /** Whether a passkey of this name can confirm it. */
  readonly passkey?: boolean;
}

export interface Waiting {
  readonly confirmation: Confirmation;
  readonly onConfirmed: () => void;
  readonly onRefused: (error: unknown) => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function put(next: Waiting | undefined): void {
  waiting = next;
  for (const listener of [...listeners]) listener();
}

/** Shows it on the screen that watches, and settles with it. Another one takes its place. */
export function confirmed(confirmation: Confirmation, otherwise: Error): Promise<void> {
  if (listeners.size === 0) return Promise.reject(otherwise);
  waiting?.onRefused(otherwise);
  return new Promise((resolve, reject) => {
    put({
      confirmation,
      onConfirmed() {
        put(undefined);
        resolve();
      },
      onRefused(error) {
        put(undefined);
        reject(error);
      },
    });
  });
}

export const useWaiting = (): Waiting | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
