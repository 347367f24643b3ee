import { type TProperties, type TSchema, Type } from 'typebox';

/*
 * Fields of Compose and Kubernetes files that ours use, with the types of the Compose specification and of the Kubernetes
 * API. Objects are closed, so that a misspelt field is found. A new field is added here after a look at its documentation.
 */
const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const partial = <Properties extends TProperties>(properties: Properties) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false });
const named = <Schema extends TSchema>(schema: Schema) => Type.Record(Type.String(), schema);
const Word = Type.String({ minLength: 1 });
const Words = Type.Array(Word);
const Duration = Type.String({ pattern: '^\\d+(ms|s|m|h)$' });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Seconds = Type.Integer({ minimum: 1 });

const ComposeService = partial({
  build: Word,
  image: Word,
  command: Words,
  init: Type.Boolean(),
  restart: Type.Enum(['no', 'always', 'on-failure', 'unless-stopped']),
  stop_grace_period: Duration,
  read_only: Type.Boolean(),
  tmpfs: Words,
  cap_drop: Words,
  security_opt: Words,
  environment: named(Type.String()),
  volumes: Type.Array(Type.String({ pattern: '^[^:]+:/[^:]*(:ro)?$' })),
  ports: Type.Array(Type.String({ pattern: '^\\d+:\\d+$' })),
  network_mode: Type.String({ pattern: '^service:' }),
  networks: Type.Union([Words, named(closed({ ipv4_address: Type.String({ format: 'ipv4' }) }))]),
  depends_on: Type.Union([
    Words,
    named(
      closed({
        condition: Type.Enum(['service_started', 'service_healthy', 'service_completed_successfully']),
      }),
    ),
  ]),
  healthcheck: closed({ test: Words, interval: Duration }),
  configs: Type.Array(closed({ source: Word, target: Type.String({ pattern: '^/' }) })),
  logging: closed({ driver: Type.Literal('local'), options: named(Type.String()) }),
});

export const Compose = Type.Object(
  {
    name: Word,
    services: named(ComposeService),
    volumes: named(Type.Null()),
    networks: Type.Optional(
      named(closed({ ipam: closed({ config: Type.Array(closed({ subnet: Word })) }) })),
    ),
    configs: Type.Optional(named(closed({ content: Word }))),
  },
  // Extension fields, which Compose ignores.
  { additionalProperties: false, patternProperties: { '^x-': Type.Unknown() } },
);

const labels = named(Word);
const metadata = closed({ name: Word, namespace: Word });
const selector = closed({ matchLabels: labels });

const probe = closed({
  httpGet: closed({ path: Word, port: Word, scheme: Type.Enum(['HTTP', 'HTTPS']) }),
  periodSeconds: Seconds,
  timeoutSeconds: Seconds,
  failureThreshold: Type.Integer({ minimum: 1 }),
});

const valueFrom = partial({
  fieldRef: closed({ fieldPath: Word }),
  secretKeyRef: closed({ name: Word, key: Word }),
});

const mounts = Type.Array(
  closed({ name: Word, mountPath: Type.String({ pattern: '^/' }), readOnly: Type.Optional(Type.Boolean()) }),
);

const container = closed({
  name: Word,
  image: Word,
  args: Words,
  env: Type.Array(
    closed({ name: Word, value: Type.Optional(Type.String()), valueFrom: Type.Optional(valueFrom) }),
  ),
  ports: Type.Array(closed({ name: Word, containerPort: Port })),
  readinessProbe: probe,
  livenessProbe: probe,
  securityContext: closed({
    allowPrivilegeEscalation: Type.Boolean(),
    readOnlyRootFilesystem: Type.Boolean(),
    capabilities: closed({ drop: Words }),
  }),
  resources: closed({ requests: closed({ cpu: Word, memory: Word }), limits: closed({ memory: Word }) }),
  volumeMounts: mounts,
});

const pod = closed({
  terminationGracePeriodSeconds: Seconds,
  securityContext: closed({
    runAsUser: Type.Integer(),
    runAsGroup: Type.Integer(),
    fsGroup: Type.Integer(),
    runAsNonRoot: Type.Boolean(),
    seccompProfile: closed({ type: Type.Literal('RuntimeDefault') }),
  }),
  initContainers: Type.Array(closed({ name: Word, image: Word, command: Words, volumeMounts: mounts })),
  containers: Type.Array(container),
  volumes: Type.Array(
    closed({
      name: Word,
      secret: Type.Optional(closed({ secretName: Word })),
      emptyDir: Type.Optional(closed({})),
    }),
  ),
});

const claim = closed({
  metadata: closed({ name: Word }),
  spec: closed({
    accessModes: Type.Array(
      Type.Enum(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
    ),
    resources: closed({ requests: closed({ storage: Word }) }),
  }),
});

export const KUBERNETES = {
  Namespace: closed({
    apiVersion: Type.Literal('v1'),
    kind: Type.Literal('Namespace'),
    metadata: closed({ name: Word }),
  }),
  Service: closed({
    apiVersion: Type.Literal('v1'),
    kind: Type.Literal('Service'),
    metadata,
    spec: closed({
      type: Type.Optional(Type.Enum(['ClusterIP', 'NodePort', 'LoadBalancer'])),
      clusterIP: Type.Optional(Type.Literal('None')),
      externalTrafficPolicy: Type.Optional(Type.Enum(['Local', 'Cluster'])),
      selector: labels,
      ports: Type.Array(closed({ name: Word, port: Port, targetPort: Type.Optional(Word) })),
    }),
  }),
  StatefulSet: closed({
    apiVersion: Type.Literal('apps/v1'),
    kind: Type.Literal('StatefulSet'),
    metadata,
    spec: closed({
      serviceName: Word,
      replicas: Type.Integer({ minimum: 1 }),
      podManagementPolicy: Type.Enum(['Parallel', 'OrderedReady']),
      selector,
      template: closed({ metadata: closed({ labels }), spec: pod }),
      volumeClaimTemplates: Type.Array(claim),
    }),
  }),
  PodDisruptionBudget: closed({
    apiVersion: Type.Literal('policy/v1'),
    kind: Type.Literal('PodDisruptionBudget'),
    metadata,
    spec: closed({ maxUnavailable: Type.Integer({ minimum: 1 }), selector }),
  }),
};
