import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

const OWN = {
  DRAWBRIDGE_TOKEN: 'x',
  DRAWBRIDGE_DATABASE: 'x',
  DRAWBRIDGE_MODEL_KEY: 'x',
  DATABASE_URL: 'x',
  POSTGRES_PASSWORD: 'x',
  PGPASSWORD: 'x',
  PGHOST: 'x',
  NATS_URL: 'x',
  ANTHROPIC_API_KEY: 'x',
  OPENAI_API_KEY: 'x',
  GOOGLE_GENERATIVE_AI_API_KEY: 'x',
  GEMINI_API_KEY: 'x',
  openai_api_key: 'x',
};
const PERSONS = { PATH: '/bin', HOME: '/home/you', SSH_AUTH_SOCK: '/s', LANG: 'fa', PGADMIN_THEME: 'dark' };

test("keeps the person's variables and removes Drawbridge's, databases', buses' and models'", () => {
  expect(childEnvironment({ ...OWN, ...PERSONS })).toEqual(PERSONS);
});

test('adds back exactly the named variables', () => {
  expect(childEnvironment({ ...OWN, ...PERSONS }, ['OPENAI_API_KEY', 'ABSENT'])).toEqual({
    ...PERSONS,
    OPENAI_API_KEY: 'x',
  });
});
