import {
  BRIDGE_CODES,
  CHAT_CODES,
  DEVICE_LIMITS,
  type ErrorCodeInfo,
  INTERACT_CODES,
  LIMITS,
  MAP_CODES,
  PUSHER_CLOSE_CODES,
  REJECTION_REASONS,
} from '@drawbridge/protocol/catalog';
import type { GeneratedFile } from './file.ts';
import { code, GENERATED, grouped, page, sentence, table } from './markdown.ts';

interface CodeGroup {
  readonly heading: string;
  readonly intro: string;
  readonly codes: Readonly<Record<string, ErrorCodeInfo>>;
}

const GROUPS: readonly CodeGroup[] = [
  {
    heading: 'Bridge',
    intro: 'In `error.code` of [`action_error`](messages/bridge.md#action_error).',
    codes: BRIDGE_CODES,
  },
  {
    heading: 'Chat',
    intro:
      'In `code` of [`connection_error`](messages/chat.md#connection_error), in `error.code` of frames that report a failure, and in `error_code` of [`session_launch_failed`](messages/chat.md#session_launch_failed).',
    codes: CHAT_CODES,
  },
  {
    heading: 'Interact',
    intro:
      'In `code` of the [error response](messages/interact.md#error), beside `unauthorized` and `cancelled` of chat.',
    codes: INTERACT_CODES,
  },
  {
    heading: 'Maps',
    intro:
      "Failures of a map's workflow or state projection, besides the bridge's own codes, in `error.code` of [`action_error`](messages/bridge.md#action_error).",
    codes: MAP_CODES,
  },
];

export const generateErrorCodes = (): GeneratedFile => ({
  path: 'docs/reference/error-codes.md',
  text: page([
    GENERATED,
    '# Error codes',
    'The same failure always has the same code; its message may be worded differently. We send only these. A peer may send others, and they are passed on unchanged.',
    '*Recoverable* means that the same caller can succeed by doing something else, or by trying again later.',
    ...GROUPS.flatMap(groupBlocks),
    '## Reasons of `task_rejected`',
    'The task protocol has no codes: its [`reason`](messages/tasks.md#task_rejected) is one of these sentences.',
    REJECTION_REASONS.map((reason) => `- ${code(reason)}`).join('\n'),
    '## Close codes of a Pusher connection',
    'A client does not come back after 4000 to 4099, comes back after a second after 4100 to 4199, and at once after 4200 to 4299. The two from 4300 on never close a connection: they come in [`pusher:error`](messages/pusher.md#pushererror).',
    table(
      ['code', 'meaning'],
      Object.entries(PUSHER_CLOSE_CODES).map(([closeCode, meaning]) => [closeCode, `${sentence(meaning)}.`]),
    ),
  ]),
});

const groupBlocks = ({ heading, intro, codes }: CodeGroup): readonly string[] => [
  `## ${heading}`,
  intro,
  table(
    ['code', 'meaning', 'severity', 'recoverable'],
    Object.entries(codes).map(([name, { meaning, severity, recoverable }]) => [
      code(name),
      meaning,
      severity,
      recoverable ? 'yes' : 'no',
    ]),
  ),
];

export const generateLimits = (): GeneratedFile => ({
  path: 'docs/reference/limits.md',
  text: page([
    GENERATED,
    '# Limits',
    'Messages beyond these are refused. Size and depth are checked before a message is parsed, everything else with its fields.',
    table(
      ['what', 'at most', 'name'],
      Object.entries(LIMITS).map(([name, { value, unit, meaning }]) => [
        sentence(meaning),
        `${grouped(value)} ${unit}`,
        code(name),
      ]),
    ),
    '## Of a device',
    'One device slows only itself. Beyond these it waits, or gets an error that names the limit and says when to try again; a right credential, `halt` and revoking a device are never limited. `/metrics` shows them as `drawbridge_limit`, the use by the device that uses most as `drawbridge_limit_used`, and what was refused as `drawbridge_over_limit_total`, without names.',
    table(
      ['what', 'at most', 'name'],
      Object.entries(DEVICE_LIMITS).map(([name, { value, unit, meaning }]) => [
        sentence(meaning),
        `${grouped(value)} ${unit}`,
        code(name),
      ]),
    ),
  ]),
});
