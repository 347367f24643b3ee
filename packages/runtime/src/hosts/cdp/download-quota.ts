import { DEVICE_LIMITS } from '@drawbridge/protocol';

/** Daily quota of files and bytes that the lent tabs of one browser may save. */
export type DownloadQuota = ReturnType<typeof createDownloadQuota>;

export interface DownloadRefusal {
  readonly limit: 'downloads_per_day' | 'download_bytes_per_day';
  readonly retry_after: number;
  readonly message: string;
}

export interface DownloadLimits {
  readonly files?: number;
  readonly bytes?: number;
}

const DAY_MS = 86_400_000;

/** The day starts with its first file. */
export function createDownloadQuota(limits: DownloadLimits = {}, now: () => number = Date.now) {
  const {
    files = DEVICE_LIMITS.downloads_per_day.value,
    bytes: mostBytes = DEVICE_LIMITS.download_bytes_per_day.value,
  } = limits;
  let day = { began: Number.NEGATIVE_INFINITY, files: 0, bytes: 0 };

  const today = (): typeof day => {
    if (Math.abs(now() - day.began) >= DAY_MS) day = { began: now(), files: 0, bytes: 0 };
    return day;
  };

  const refusal = (limit: DownloadRefusal['limit'], what: string): DownloadRefusal => {
    const retry_after = Math.max(1, Math.ceil((day.began + DAY_MS - now()) / 1_000));
    const message = `This browser has saved ${what} today, which is its limit (${limit}). Try again in ${retry_after} s.`;
    return { limit, retry_after, message };
  };

  return {
    /** Undefined when it may start. */
    begin(): DownloadRefusal | undefined {
      const used = today();
      if (used.files >= files) return refusal('downloads_per_day', `${files} files`);
      if (used.bytes >= mostBytes) return refusal('download_bytes_per_day', `${mostBytes} bytes`);
      used.files += 1;
      return undefined;
    },
    /** `bytes` arrived and `left` are still announced. Undefined when it may continue. */
    grow(bytes: number, left: number): DownloadRefusal | undefined {
      const used = today();
      used.bytes += bytes;
      return used.bytes + left > mostBytes
        ? refusal('download_bytes_per_day', `${mostBytes} bytes`)
        : undefined;
    },
  };
}
