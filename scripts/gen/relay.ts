/** Description of the relay in both API documents. */
export const RELAY = {
  title: 'Drawbridge',
  host: '127.0.0.1:7717',
  status:
    'The shapes are fixed by the contracts and by the schemas in `packages/protocol`, from which `npm run gen` writes this file.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;
