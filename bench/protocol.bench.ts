import { readFileSync } from 'node:fs';
import { bridge, chat, type Protocol, tasks } from '@drawbridge/protocol';
import { CATALOG } from '@drawbridge/protocol/catalog';
import { Ajv } from 'ajv';
import { figure } from '../scripts/bench/figure.ts';
import { median, nanosecondsEach, printTable } from './measure.ts';
import { benchmark } from './report.ts';

/**
 * Parsing and checking a message, beside JSON.parse of the same text (the floor) and JSON.parse + ajv (a
 * peer).
 */

const MESSAGES = [
  { name: 'heartbeat', family: 'chat', protocol: chat },
  { name: 'heartbeat_ack', family: 'chat', protocol: chat },
  { name: 'send_message', family: 'chat', protocol: chat },
  { name: 'message_accepted', family: 'chat', protocol: chat },
  { name: 'message_event', family: 'chat', protocol: chat },
  { name: 'session_status', family: 'chat', protocol: chat },
  { name: 'action_call', family: 'bridge', protocol: bridge },
  { name: 'action_call_output', family: 'bridge', protocol: bridge },
  { name: 'runtime_status', family: 'bridge', protocol: bridge },
  { name: 'execution_event.navigation_action', family: 'tasks', protocol: tasks },
] as const satisfies readonly { name: string; family: string; protocol: Protocol<unknown> }[];

const ajv = new Ajv({ strict: false });

function ajvCheck(family: 'chat' | 'bridge' | 'tasks', type: string) {
  const schemas: Readonly<Record<string, object>> = CATALOG[family];
  return ajv.compile(JSON.parse(JSON.stringify(schemas[type])));
}

await benchmark(async (report) => {
  const rows = MESSAGES.map(({ name, family, protocol }) => {
    const fixture = new URL(import.meta.resolve(`@drawbridge/protocol/fixtures/${family}/${name}.json`));
    const text = JSON.stringify(JSON.parse(readFileSync(fixture, 'utf8')));
    const [type = name] = name.split('.');
    const validate = ajvCheck(family, type);
    if (!validate(JSON.parse(text)))
      throw new Error(`ajv refuses ${name}: ${ajv.errorsText(validate.errors)}`);
    const floor = nanosecondsEach(() => JSON.parse(text));
    const ours = nanosecondsEach(() => protocol.parse(text));
    const peer = nanosecondsEach(() => validate(JSON.parse(text)));
    return { type, chars: text.length, floor, ours, peer };
  });

  printTable(
    ['message', 'chars', 'JSON.parse ns', 'parse ns', '+ ajv ns', 'ratio', 'ajv ratio'],
    rows.map(({ type, chars, floor, ours, peer }) => [
      type,
      String(chars),
      floor.toFixed(0),
      ours.toFixed(0),
      peer.toFixed(0),
      (ours / floor).toFixed(2),
      (peer / floor).toFixed(2),
    ]),
  );

  const ratios = rows.map(({ ours, floor }) => ours / floor);
  const middle = (of: (row: (typeof rows)[number]) => number) => median(rows.map(of));
  report.add(
    figure({
      id: 'protocol.parse',
      what: 'reading and checking a message',
      unit: 'ns',
      better: 'less',
      ours: middle(({ ours }) => ours),
      beside: [
        { name: 'JSON.parse', value: middle(({ floor }) => floor) },
        { name: 'JSON.parse and ajv', value: middle(({ peer }) => peer) },
      ],
      ratio: median(ratios),
      how: `medians of ${rows.length} kinds of message; the ratio is the median of theirs`,
    }),
    figure({
      id: 'protocol.parse.worst',
      what: 'the same, the kind of message that does worst',
      unit: 'times JSON.parse',
      better: 'less',
      ours: Math.max(...ratios),
      must: { value: 5 },
      how: 'ns of parse and check over ns of JSON.parse of the same text',
    }),
  );
});
