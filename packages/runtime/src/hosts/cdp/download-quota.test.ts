import { expect, test } from 'vitest';
import { createDownloadQuota } from './download-quota.ts';

test('counts files and bytes per day, and says in the refusal when the day ends', () => {
  let now = 1_000_000;
  const quota = createDownloadQuota({ files: 2, bytes: 1_000 }, () => now);
  expect(quota.begin()).toBeUndefined();
  expect(quota.grow(400, 500)).toBeUndefined();
  expect(quota.grow(0, 601)).toMatchObject({ limit: 'download_bytes_per_day' });
  expect(quota.begin()).toBeUndefined();
  now += 400_000;
  expect(quota.begin()).toMatchObject({ limit: 'downloads_per_day', retry_after: 86_000 });
  now += 86_000_000;
  expect(quota.begin()).toBeUndefined();
  expect(quota.grow(1_001, 0)).toMatchObject({ limit: 'download_bytes_per_day', retry_after: 86_400 });
  expect(quota.begin()).toMatchObject({ limit: 'download_bytes_per_day' });
});
