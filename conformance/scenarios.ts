/**
 * Expected result of a scenario: it passes, or passes although the suite warns or skips something (`but`), or
 * cannot pass there, and why. A scenario counts as failed unless a check besides the message schema succeeded.
 */
export type Verdict = 'passes' | { readonly but: string } | { readonly no: string };

/** The server under test. */
export type Place = 'fixtures' | 'handler' | 'relay';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

type Verdicts = Readonly<Record<string, Verdict>>;

const passing = (...names: readonly string[]): Verdicts =>
  Object.fromEntries(names.map((name) => [name, 'passes']));

const HOST_CHECK: Verdict = { no: 'Host and Origin are checked by whoever mounts it: see the relay' };

/** In both revisions, on fixtures alone: our own server has nothing like them. */
const FIXTURES_ONLY = passing(
  'completion-complete',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'json-schema-2020-12',
  'resources-read-binary',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
);

/** In both revisions, by our own tools and resources. */
const OUR_ANSWERS = passing(
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-read-text',
  'resources-templates-read',
);

const WITHOUT_FIXTURES = {
  '2025-11-25': passing(
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'resources-subscribe',
    'resources-unsubscribe',
  ),
  '2026-07-28': passing(
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'server-sse-multiple-streams',
  ),
} as const satisfies Record<Revision, Verdicts>;

const STATELESS: Verdict = {
  no: 'four checks need the tools test_missing_capability, test_streaming_elicitation and test_logging_tool; the other 24 pass',
};
const CACHING: Verdict = { no: 'it also lists prompts, which we do not have; the other seven checks pass' };

export const VERDICTS: Readonly<Record<Place, Readonly<Record<Revision, Verdicts>>>> = {
  fixtures: {
    '2025-11-25': {
      ...WITHOUT_FIXTURES['2025-11-25'],
      ...OUR_ANSWERS,
      ...FIXTURES_ONLY,
      ...passing(
        'logging-set-level',
        'tools-call-with-logging',
        'tools-call-sampling',
        'tools-call-elicitation',
        'elicitation-sep1034-defaults',
        'elicitation-sep1330-enums',
        'server-sse-polling',
      ),
      'dns-rebinding-protection': HOST_CHECK,
    },
    '2026-07-28': {
      ...WITHOUT_FIXTURES['2026-07-28'],
      ...OUR_ANSWERS,
      ...FIXTURES_ONLY,
      ...passing(
        'server-stateless',
        'caching',
        'input-required-result-basic-elicitation',
        'input-required-result-basic-sampling',
        'input-required-result-basic-list-roots',
        'input-required-result-request-state',
        'input-required-result-multiple-input-requests',
        'input-required-result-multi-round',
        'input-required-result-missing-input-response',
        'input-required-result-non-tool-request',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-capability-check',
        'input-required-result-ignore-extra-params',
        'input-required-result-validate-input',
      ),
      'http-custom-header-server-validation': { no: 'none of our tools has an x-mcp-header' },
      'dns-rebinding-protection': HOST_CHECK,
    },
  },
  handler: {
    '2025-11-25': {
      ...WITHOUT_FIXTURES['2025-11-25'],
      ...OUR_ANSWERS,
      ...passing('tools-call-elicitation'),
    },
    '2026-07-28': {
      ...WITHOUT_FIXTURES['2026-07-28'],
      ...OUR_ANSWERS,
      ...passing(
        'input-required-result-missing-input-response',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-validate-input',
      ),
      'input-required-result-basic-elicitation': { no: 'our question is called approval, not user_name' },
      'server-stateless': STATELESS,
      caching: CACHING,
    },
  },
  relay: {
    '2025-11-25': { ...WITHOUT_FIXTURES['2025-11-25'], ...passing('dns-rebinding-protection') },
    '2026-07-28': {
      ...WITHOUT_FIXTURES['2026-07-28'],
      ...passing('dns-rebinding-protection'),
      'server-stateless': STATELESS,
      caching: CACHING,
    },
  },
};
