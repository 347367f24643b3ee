import { createBridge } from '@drawbridge/bridge';
import { serveStdio } from '../src/stdio.ts';

/** Run as a child process by stdio.test.ts. */
const bridge = createBridge({
  clock: {
    now: Date.now,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  ids: () => crypto.randomUUID(),
});

serveStdio({ bridge });
