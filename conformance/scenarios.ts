import type { Serving } from './fixture-server.ts';

/**
 * How a scenario ends: it passes (`but`: what the suite does not look at), passes `empty`, with no check that
 * succeeded, or cannot pass, and why.
 */
export type Verdict = 'passes' | 'empty' | { readonly but: string } | { readonly no: string };
export type Outcome = 'passes' | 'empty' | 'fails';

const FORGOTTEN = {
  but: 'a 2025 client without a session is never told of an update, and the suite waits for none',
} as const;
const NO_LOGGING = { no: 'no logging: an answer says what there is to say' } as const;
const NO_PROMPTS = { no: 'no prompts' } as const;
const NO_SUCH_TOOL = { no: 'no tool answers so' } as const;
const OTHER_FORM = { no: 'the one form we ask with has neither defaults nor several enums' } as const;

const BOTH = {
  'server-initialize': 'passes',
  ping: 'passes',
  'tools-list': 'passes',
  'tools-call-simple-text': 'passes',
  'tools-call-image': 'passes',
  'tools-call-error': 'passes',
  'tools-call-with-progress': 'passes',
  'resources-list': 'passes',
  'resources-read-text': 'passes',
  'resources-templates-read': 'passes',
  'server-sse-polling': 'empty',
  'logging-set-level': NO_LOGGING,
  'tools-call-with-logging': NO_LOGGING,
  'completion-complete': { no: 'no completions' },
  'tools-call-audio': NO_SUCH_TOOL,
  'tools-call-embedded-resource': NO_SUCH_TOOL,
  'tools-call-mixed-content': NO_SUCH_TOOL,
  'tools-call-sampling': { no: 'no sampling: the agent has its own model' },
  'json-schema-2020-12': { no: 'the list of tools is fixed, and none of them needs $defs' },
  'elicitation-sep1034-defaults': OTHER_FORM,
  'elicitation-sep1330-enums': OTHER_FORM,
  'resources-read-binary': { no: 'every resource is text' },
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
  'dns-rebinding-protection': { no: 'Host and Origin are checked by whoever mounts the handler' },
} as const satisfies Record<string, Verdict>;

export const VERDICTS: Readonly<Record<Serving, Readonly<Record<string, Verdict>>>> = {
  handler: {
    ...BOTH,
    'tools-call-elicitation': {
      no: 'without a session a 2025 client cannot be asked over HTTP: the fallback asker is, else it is denied',
    },
    'server-sse-multiple-streams': 'empty',
    'resources-subscribe': FORGOTTEN,
    'resources-unsubscribe': FORGOTTEN,
  },
  session: {
    ...BOTH,
    'tools-call-elicitation': 'passes',
    'server-sse-multiple-streams': 'passes',
    'resources-subscribe': 'passes',
    'resources-unsubscribe': 'passes',
  },
};
