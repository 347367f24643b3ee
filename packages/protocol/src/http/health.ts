import { Type } from 'typebox';
import { defineRoutes, shape } from './route.ts';

const PARTS = Type.Array(
  Type.Object({
    part: Type.Unsafe<string>({ enum: ['relay', 'ledger', 'disk', 'lease', 'leader', 'bus'] }),
    message: Type.String(),
  }),
);
const READINESS = Type.Object({ problems: Type.Optional(PARTS), degraded: PARTS });

/** Health, metrics and descriptions. */
export const HEALTH = defineRoutes({
  'GET /livez': {
    ...{ operation: 'isAlive', tag: 'health', access: 'anybody', status: 200, done: 'Yes.' },
    summary: 'Is the relay alive?',
  },
  'GET /healthz': {
    ...{ operation: 'isAliveFormerly', tag: 'health', access: 'anybody', status: 200, done: 'Yes.' },
    summary: 'The former name of /livez.',
  },
  'GET /readyz': {
    ...{ operation: 'isReady', tag: 'health', access: 'anybody' },
    summary: 'Does the relay take work now?',
    reply: READINESS,
    done: 'Yes; parts that fail nevertheless are in `degraded`.',
    others: { 503: { description: 'No: `error.message` and `problems` say why.', reply: READINESS } },
  },
  'GET /metrics': {
    ...{ operation: 'metrics', tag: 'health', access: 'anybody' },
    summary: 'Metrics, for Prometheus.',
    stream: { type: 'text/plain', description: 'The figures.' },
    refuses: ['unauthorized', 'forbidden'],
  },
  'GET /openapi.json': {
    ...{ operation: 'openApi', tag: 'health', access: 'anybody' },
    summary: 'This document.',
    reply: shape<object>(),
    done: 'It.',
  },
  'GET /asyncapi.json': {
    ...{ operation: 'asyncApi', tag: 'health', access: 'anybody' },
    summary: 'The same for the sockets.',
    reply: shape<object>(),
    done: 'It.',
  },
});
