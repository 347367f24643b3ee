import { expect, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';

/** Pages for people, which no program calls. */
const PAGES = ['GET /', 'GET /relay.css', 'GET /relay.js'];
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Parameter names are ignored. */
const withoutNames = (route: string): string => route.replaceAll(/:\w+/g, '*');

interface Parameter {
  readonly name: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

/** The same for the document: a path parameter with an enum is one path per value. */
function describedPaths(path: string, { parameters = [] }: { readonly parameters?: readonly Parameter[] }) {
  const [choice] = parameters.filter(({ name, schema }) => path.includes(`{${name}}`) && schema?.enum);
  const paths = choice?.schema?.enum?.map((value) => path.replace(`{${choice.name}}`, value)) ?? [path];
  return paths.map((each) => each.replaceAll(/\{\w+\}/g, '*'));
}

test('openapi.json describes every route of the relay, and no other', async () => {
  const relay = await startTestRelay({ taskClients: true });
  const { paths } = await (await fetch(`${relay.url}/openapi.json`)).json();
  const described = Object.keys(paths).flatMap((path) =>
    Object.keys(paths[path])
      .filter((method) => METHODS.has(method))
      .flatMap((method) =>
        describedPaths(path, paths[path]).map((each) => `${method.toUpperCase()} ${each}`),
      ),
  );
  const routes = relay.routes.filter((route) => !PAGES.includes(route)).map(withoutNames);
  expect(described.toSorted()).toEqual([...new Set(routes)].toSorted());
});
