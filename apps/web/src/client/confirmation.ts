import type { Words } from '@drawbridge/ui';
import { useSyncExternalStore } from 'react';

/** A request of this browser that needs confirmation. */
export interface Confirmation {
  readonly id: string;
  readonly device_id: string;
  readonly device_label: string;
  readonly act: keyof Words['confirmation']['acts'];
  readonly roles: readonly string[];
  readonly label: string;
  readonly expires_at: number;
  /** A passkey at this address can confirm it. */
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

/** Shows the confirmation and settles with it. A later one replaces it. */
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
