import { ACT } from './act.ts';
import { INSPECT } from './inspect.ts';
import { READ } from './read.ts';
import { SCREENSHOT } from './screenshot.ts';
import { SITE } from './site.ts';
import { SNAPSHOT } from './snapshot.ts';
import { TABS } from './tabs.ts';
import type { Tool } from './tool.ts';
import { WAIT } from './wait.ts';

/** The whole list, always the same, so that an agent's prompt cache survives changes of tabs. */
export const TOOLS: readonly Tool[] = [SNAPSHOT, ACT, READ, WAIT, SCREENSHOT, TABS, SITE, INSPECT];
