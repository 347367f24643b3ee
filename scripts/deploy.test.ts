import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawbridge } from 'drawbridge/test/terminal';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { Compose, KUBERNETES } from './deploy/schemas.ts';

const fileAt = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const textOf = (path: string) => readFileSync(fileAt(path), 'utf8');

/** Throws with every place where the value is not as the schema has it. */
function parseAs<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const problems = Value.Errors(schema, value).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Value.Parse(schema, value);
}

const composeOf = (text: string) => parseAs(Compose, parse(text, { merge: true }));

function kubernetesOf(text: string) {
  const objects = parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS();
  });
  const kinds = Map.groupBy(objects, ({ kind }) => kind);
  for (const kind of kinds.keys())
    if (!Object.hasOwn(KUBERNETES, kind)) throw new Error(`There is no schema of ${kind}.`);
  const of = <Schema extends TSchema>(kind: string, schema: Schema) =>
    (kinds.get(kind) ?? []).map((object) => parseAs(schema, object));
  return {
    namespaces: of('Namespace', KUBERNETES.Namespace),
    services: of('Service', KUBERNETES.Service),
    sets: of('StatefulSet', KUBERNETES.StatefulSet),
    budgets: of('PodDisruptionBudget', KUBERNETES.PodDisruptionBudget),
  };
}

/** Runs the command up to its last check of the options, which refuses this value of --log. */
async function expectRuns(args: readonly string[]): Promise<void> {
  const { code, errors } = await drawbridge([...args, '--log', 'nowhere']);
  expect(errors).toContain('--log is file or stderr.');
  expect(code).toBe(2);
}

const PORT = 7717;
const COMPOSE = ['deploy/compose.yaml', 'deploy/compose.cluster.yaml'];
const FOLDER = /^ENV DRAWBRIDGE_HOME=(\S+)/m.exec(textOf('Dockerfile'))?.[1];

const unique = (names: readonly string[]) => [...new Set(names)].sort();
const namesOf = (value: readonly string[] | object) => (Array.isArray(value) ? value : Object.keys(value));

test.each(COMPOSE)('%s has only fields of the Compose specification, and each name exists', (file) => {
  const { services, volumes, networks = {}, configs = {} } = composeOf(textOf(file));
  const all = Object.values(services);
  const needed = all.flatMap(({ depends_on = [], network_mode = '' }) => [
    ...namesOf(depends_on),
    ...(network_mode === '' ? [] : [network_mode.replace('service:', '')]),
  ]);
  expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
  for (const [name, { logging }] of Object.entries(services))
    expect(logging?.options['max-size'], `${name} has a log that grows without bound`).toBeDefined();
  const sources = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
  expect(unique(sources.filter((source) => !source.startsWith('.')))).toEqual(unique(Object.keys(volumes)));
  expect(unique(all.flatMap((each) => namesOf(each.networks ?? [])))).toEqual(unique(Object.keys(networks)));
  expect(unique(all.flatMap((each) => each.configs ?? []).map(({ source }) => source))).toEqual(
    unique(Object.keys(configs)),
  );
});

test.each(COMPOSE)('%s runs relays that the CLI starts and whose data stays', async (file) => {
  const { services } = composeOf(textOf(file));
  const relays = Object.values(services).filter(({ build }) => build === '..');
  expect(relays).toHaveLength(file.includes('cluster') ? 3 : 1);
  for (const { command = [], volumes = [], tmpfs, read_only, environment = {} } of relays) {
    await expectRuns(command);
    expect(volumes).toContainEqual(expect.stringMatching(new RegExp(`^data(-\\d)?:${FOLDER}$`)));
    expect({ read_only, tmpfs }).toEqual({ read_only: true, tmpfs: ['/tmp'] });
    const help = (await drawbridge(['up', '--help'])).text;
    for (const name of Object.keys(environment).filter((each) => each.startsWith('DRAWBRIDGE_')))
      expect(help).toContain(name);
  }
});

test('each relay of the Compose cluster listens on its own address, and the balancer has them all', () => {
  const { services, configs } = composeOf(textOf('deploy/compose.cluster.yaml'));
  const relays = Object.values(services).filter(({ build }) => build === '..');
  const addresses = relays.map(({ networks = [] }) =>
    Array.isArray(networks) ? undefined : networks['relays']?.ipv4_address,
  );
  const hosts = relays.map(({ command = [] }) => command[command.indexOf('--host') + 1]);
  expect(hosts).toEqual(addresses);
  const balancer = configs?.['balancer']?.content ?? '';
  const upstreams = [...balancer.matchAll(/server ([\d.]+):(\d+) /g)].map(([, address, port]) => [
    address,
    port,
  ]);
  expect(upstreams).toEqual(addresses.map((address) => [address, String(PORT)]));
  expect(services['balancer']?.ports).toEqual([`${PORT}:${PORT}`]);
});

test('the Compose file with Caddy forwards to the port of the relay, which it shares a network with', () => {
  const { caddy, relay } = composeOf(textOf('deploy/compose.yaml')).services;
  expect(caddy?.command?.at(-1)).toBe(`127.0.0.1:${PORT}`);
  expect(caddy?.network_mode).toBe('service:relay');
  expect(relay?.volumes).toContain('backups:/backups');
  expect(textOf('Dockerfile')).toContain('mkdir /data /backups && chown node:node /data /backups');
  expect(relay?.ports).toEqual(['80:80', '443:443']);
});

test('the Kubernetes file has only fields of the Kubernetes API, and each name exists', async () => {
  const { namespaces, services, sets, budgets } = kubernetesOf(textOf('deploy/kubernetes.yaml'));
  const [
    {
      metadata: { name: namespace },
    } = { metadata: { name: '' } },
  ] = namespaces;
  for (const { metadata } of [...services, ...sets, ...budgets]) expect(metadata.namespace).toBe(namespace);
  const [set] = sets;
  if (set === undefined) throw new Error('There is no StatefulSet.');
  const { template, selector, serviceName, volumeClaimTemplates, replicas } = set.spec;
  const { labels } = template.metadata;
  expect(selector.matchLabels).toEqual(labels);
  for (const { spec } of services) expect(spec.selector).toEqual(labels);
  for (const { spec } of budgets) {
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(spec.maxUnavailable).toBeLessThan(replicas);
  }
  // A StatefulSet's own service is headless.
  expect(services.find(({ metadata }) => metadata.name === serviceName)?.spec.clusterIP).toBe('None');
  const { containers, initContainers, volumes } = template.spec;
  const mounted = [...containers, ...initContainers].flatMap(({ volumeMounts }) => volumeMounts);
  expect(unique(mounted.map(({ name }) => name))).toEqual(
    unique([...volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name)),
  );
  const [relay, ...others] = containers;
  expect(others).toEqual([]);
  if (relay === undefined) throw new Error('There is no container.');
  expect(initContainers.map(({ image }) => image)).toEqual([relay.image]);
  const ports = relay.ports.map(({ name }) => name);
  expect(relay.ports).toEqual([{ name: 'relay', containerPort: PORT }]);
  for (const { port, targetPort = 'relay' } of services.flatMap(({ spec }) => spec.ports)) {
    expect(port).toBe(PORT);
    expect(ports).toContain(targetPort);
  }
  expect(relay.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'relay', scheme: 'HTTPS' });
  expect(relay.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'relay', scheme: 'HTTPS' });
  expect(JSON.parse(textOf('docs/reference/openapi.json'))).toMatchObject({
    paths: { '/livez': { get: {} }, '/readyz': { get: {} } },
  });
  await expectRuns(relay.args);
  const variables = new Map(relay.env.map(({ name, value }) => [name, value]));
  for (const [, name] of relay.args.join(' ').matchAll(/\$\((\w+)\)/g))
    expect(variables.has(name ?? '')).toBe(true);
  const [{ mountPath } = { mountPath: '' }] = relay.volumeMounts.filter(({ name }) => name === 'data');
  expect(variables.get('DRAWBRIDGE_HOME')?.startsWith(`${mountPath}/`)).toBe(true);
  for (const option of ['--cert', '--key']) {
    const path = relay.args[relay.args.indexOf(option) + 1] ?? '';
    expect(relay.volumeMounts.some(({ mountPath: at }) => path.startsWith(`${at}/`))).toBe(true);
  }
});

test.each<[string, string, string, RegExp]>([
  ['deploy/compose.yaml', '    volumes: ["data:/data", ', '    volume: ["data:/data", ', /relay.*additional/],
  ['deploy/compose.yaml', 'unless-stopped', 'sometimes', /restart/],
  ['deploy/kubernetes.yaml', 'livenessProbe:', 'livelinessProbe:', /containers\/0.*(additional|required)/],
  ['deploy/kubernetes.yaml', 'containerPort: 7717', 'containerPort: "7717"', /containerPort/],
  ['deploy/kubernetes.yaml', 'kind: Namespace', 'kind: Namspace', /no schema of Namspace/],
])('a planted mistake in %s is found: %s becomes %s', (file, from, to, problem) => {
  const text = textOf(file);
  expect(text).toContain(from);
  const read = file.includes('compose') ? composeOf : kubernetesOf;
  expect(() => read(text.replace(from, to))).toThrow(problem);
});

test.each([...COMPOSE, 'deploy/kubernetes.yaml', 'deploy/drawbridge.service'])(
  'the command that %s names for pairing exists, with its options',
  async (file) => {
    const [, options = ''] = /^# .* drawbridge pair (--.*)$/m.exec(textOf(file)) ?? [];
    const { text } = await drawbridge(['pair', '--help']);
    expect(options.split(' ')[0]).toBe('--role');
    expect(text).toContain(options.split(' ')[0]);
  },
);

const SERVICE = fileAt('deploy/drawbridge.service');
const verify = () => spawnSync('systemd-analyze', ['verify', SERVICE], { encoding: 'utf8' });

// Faults are warnings on stderr, with exit code 0.
test.skipIf(verify().error !== undefined)('systemd accepts every line of the service file', () => {
  const { status, stderr } = verify();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('the service file and the Dockerfile start relays with options that the CLI has', async () => {
  const start = /^ExecStart=\/usr\/bin\/env drawbridge (.*)$/m.exec(textOf('deploy/drawbridge.service'))?.[1];
  await expectRuns(start?.split(' ') ?? []);
  const command: unknown = JSON.parse(/^CMD (.*)$/m.exec(textOf('Dockerfile'))?.[1] ?? '');
  await expectRuns(Array.isArray(command) ? command.map(String) : []);
});
