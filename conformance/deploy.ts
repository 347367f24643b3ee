import { deepStrictEqual, match, notDeepStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const DEPLOY = join(ROOT, 'deploy');
const LINTER = join(import.meta.dirname, 'node_modules/dclint/bin/dclint.cjs');

interface Linted {
  readonly messages: readonly { readonly rule: string; readonly message: string }[];
}

/** Violations of the Compose specification's schema. Matters of style are ours. */
function composeProblems(file: string): readonly string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [LINTER, '--formatter', 'json', file], {
    encoding: 'utf8',
  });
  if (!stdout.startsWith('[')) throw new Error(`The linter failed: ${stderr}${stdout}`);
  const files: readonly Linted[] = JSON.parse(stdout);
  if (files.length !== 1) throw new Error(`The linter read ${files.length} files instead of ${file}.`);
  return files
    .flatMap(({ messages }) => messages)
    .filter(({ rule }) => rule === 'invalid-schema')
    .map(({ message }) => message);
}

/** Violations of the Kubernetes API's own schema of the object's kind. */
async function kubernetesProblem(object: KubernetesObject): Promise<string | undefined> {
  const models = await import(`kubernetes-models/${object.apiVersion}/${object.kind}`);
  try {
    new models[object.kind](object).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: object;
}

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-deploy-'));
try {
  for (const name of ['compose.yaml', 'compose.cluster.yaml']) {
    const file = join(DEPLOY, name);
    deepStrictEqual(composeProblems(file), [], name);
    const misspelt = join(folder, name);
    writeFileSync(misspelt, readFileSync(file, 'utf8').replace('restart:', 'restrat:'));
    notDeepStrictEqual(composeProblems(misspelt), [], 'a misspelt field is found');
    console.log(`${name} is valid by the schema of the Compose specification`);
  }
  const objects: readonly KubernetesObject[] = parseAllDocuments(
    readFileSync(join(DEPLOY, 'kubernetes.yaml'), 'utf8'),
  ).map((document) => document.toJS());
  for (const object of objects) deepStrictEqual(await kubernetesProblem(object), undefined, object.kind);
  for (const object of objects.filter(({ kind }) => kind === 'StatefulSet'))
    match(String(await kubernetesProblem({ ...object, spec: { ...object.spec, replicas: '3' } })), /integer/);
  const kinds = objects.map(({ kind }) => kind).join(', ');
  console.log(`kubernetes.yaml is valid by the schemas of the Kubernetes API: ${kinds}`);
} finally {
  rmSync(folder, { recursive: true });
}
