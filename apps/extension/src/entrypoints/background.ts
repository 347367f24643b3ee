import { defineBackground } from 'wxt/utils/define-background';
import { startWorker } from '../worker/start-worker.ts';

// biome-ignore lint/style/noDefaultExport: WXT reads an entrypoint by its default.
export default defineBackground({ type: 'module', main: startWorker });
