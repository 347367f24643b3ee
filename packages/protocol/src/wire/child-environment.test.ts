import { expect, test } from 'vitest';
import { childEnvironment, withheldVariables, workerEnvironment } from './child-environment.ts';

const SECRET = {
  DRAWBRIDGE_TOKEN: 'x',
  DATABASE_URL: 'x',
  PG_URL: 'x',
  PGPASSWORD: 'x',
  ANTHROPIC_API_KEY: 'x',
  OPENROUTER_API_KEY: 'x',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  GITHUB_TOKEN: 'x',
  NPM_TOKEN: 'x',
  HOMEBREW_GITHUB_API_TOKEN: 'x',
  PATH_TO_SECRET: 'x',
  SOMETHING_OF_NEXT_YEAR: 'x',
};
const ORDINARY = {
  ...{
    PATH: '/bin',
    HOME: '/home/you',
    LANG: 'fa',
    LC_ALL: 'fa',
    XDG_RUNTIME_DIR: '/run',
    https_proxy: 'http://p',
  },
  ...{
    JAVA_HOME: '/j',
    GOPATH: '/g',
    CARGO_HOME: '/c',
    PYENV_ROOT: '/p',
    NVM_DIR: '/n',
    SystemRoot: 'C:/Windows',
  },
  ...{ 'ProgramFiles(x86)': 'C:/', SSH_AUTH_SOCK: '/s', DISPLAY: ':0' },
};

test('passes on ordinary variables and nothing else', () => {
  expect(childEnvironment({ ...SECRET, ...ORDINARY })).toEqual(ORDINARY);
  expect(withheldVariables({ ...SECRET, ...ORDINARY })).toEqual(Object.keys(SECRET).toSorted());
});

test('adds exactly the named variables, by name or by prefix', () => {
  const named = ['OPENROUTER_API_KEY', 'AWS_*', 'ABSENT'];
  const { OPENROUTER_API_KEY, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = SECRET;
  expect(childEnvironment({ ...SECRET, ...ORDINARY }, named)).toEqual({
    ...ORDINARY,
    ...{ OPENROUTER_API_KEY, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
  });
});

test('a worker thread gets the compile cache and nothing else', () => {
  expect(workerEnvironment({ NODE_COMPILE_CACHE: 'c', DRAWBRIDGE_MODEL_KEY: 'k', PATH: '/bin' })).toEqual({
    NODE_COMPILE_CACHE: 'c',
  });
  expect(workerEnvironment({ PATH: '/bin' })).toEqual({});
});
