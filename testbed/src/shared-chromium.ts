import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_FLAGS, pageChromiumPath } from './chromium-binary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromiumEndpoint: string;
  }
}

let server: BrowserServer | undefined;

/** Vitest calls this once per run of a project that lists this file as its `globalSetup`. */
export async function setup(project: TestProject): Promise<void> {
  server = await chromium.launchServer({
    executablePath: pageChromiumPath(),
    args: [...CHROMIUM_FLAGS],
    host: '127.0.0.1',
  });
  project.provide('chromiumEndpoint', server.wsEndpoint());
}

export async function teardown(): Promise<void> {
  await server?.close();
  server = undefined;
}
