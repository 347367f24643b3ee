import { parseLines, type SemanticNode } from '@drawbridge/protocol/semantic';
import {
  createGate,
  type ModelRequest,
  type Reply,
  type ScriptedModel,
  startScriptedModel,
} from '@drawbridge/testbed';

/** The parts of a model's input that it needs to decide. */
export interface Observation {
  /** The whole conversation, from the first message to the last. */
  readonly text: string;
  /** The last message: the page, or why the last decision was refused. */
  readonly last: string;
  readonly nodes: readonly SemanticNode[];
  /** Pictures as the provider gets them. */
  readonly pictures: readonly string[];
  /** Id of the first element whose name matches. */
  readonly id: (name: RegExp, role?: string) => string;
}

export interface ModelAnswer {
  readonly action: string;
  readonly thought?: string;
  readonly step_done?: boolean;
  readonly plan?: readonly string[];
  readonly element?: string;
  readonly text?: string;
  readonly json?: string;
  readonly expect?: { readonly type: string; readonly name?: string; readonly to?: string };
  readonly confidence?: number;
}

/** One answer of the model, with a callback that runs between its decision and its action. */
export type Line = (sight: Observation) => ModelAnswer & { readonly meanwhile?: () => Promise<unknown> };

export interface LineModel {
  readonly provider: ScriptedModel;
  /** Sets the next answers in order, and drops unused ones. */
  readonly answerWith: (lines: readonly Line[]) => void;
  /** Requests since the last call. */
  readonly asked: () => readonly Asked[];
}

export interface Asked {
  readonly observation: Observation;
  readonly system: string;
  readonly answer: string;
}

export interface LineModelOptions {
  /** Runs before each answer, while the page still matches the model's input. */
  readonly beforeAnswer?: (sight: Observation) => Promise<unknown>;
}

/** A model behind real HTTP that decides by its input. */
export async function startLineModel({ beforeAnswer }: LineModelOptions = {}): Promise<LineModel> {
  let left: readonly Line[] = [];
  let asked: Asked[] = [];
  const provider = await startScriptedModel((request): Reply => {
    const [line = OUT_OF_SCRIPT, ...rest] = left;
    left = rest;
    const { system, ...shown } = shownIn(request);
    const observation = observationOf(shown);
    const { meanwhile, ...said } = answerBy(line, observation);
    const answer = JSON.stringify({ ...SILENT, ...said, expect: { ...SILENT.expect, ...said.expect } });
    asked.push({ observation, system, answer });
    // Rough token count.
    const usage = { inputTokens: Math.ceil((system + observation.text).length / 4), outputTokens: 50 };
    if (beforeAnswer === undefined && meanwhile === undefined) return { text: answer, usage };
    const gate = createGate();
    const wait = async () => {
      await beforeAnswer?.(observation);
      await meanwhile?.();
    };
    void wait().finally(() => gate.open());
    return { text: answer, usage, hold: { gate } };
  });
  return {
    provider,
    answerWith: (lines) => {
      left = lines;
      asked = [];
    },
    asked: () => [...asked],
  };
}

/** Ends the task at once: an error of the provider would be retried again and again. */
const lost = (text: string): ModelAnswer => ({ action: 'fail', text });
const OUT_OF_SCRIPT: Line = ({ last }) => lost(`The model has nothing more to say to: ${last}`);

function answerBy(line: Line, sight: Observation): ReturnType<Line> {
  try {
    return line(sight);
  } catch (error) {
    return lost(String(error));
  }
}

const SILENT = {
  ...{ thought: '', step_done: false, plan: [], element: '', text: '', json: '', confidence: 0.9 },
  expect: { type: 'none', name: '', to: '' },
};

interface Shown {
  readonly texts: readonly string[];
  readonly pictures: readonly string[];
}

/** OpenAI's chat format: a message is a text, or a list of parts. */
function shownIn({ body }: ModelRequest): Shown & { readonly system: string } {
  const { messages } = trustBody(body);
  const texts: string[] = [];
  const pictures: string[] = [];
  let system = '';
  for (const { role, content } of messages) {
    const parts = typeof content === 'string' ? [{ text: content }] : content;
    const text = parts.flatMap((part) => part.text ?? []).join('\n\n');
    if (role === 'system') system = text;
    else texts.push(text);
    pictures.push(...parts.flatMap((part) => part.image_url?.url ?? []));
  }
  return { texts, pictures, system };
}

interface ChatBody {
  readonly messages: readonly {
    readonly role: string;
    readonly content:
      | string
      | readonly { readonly text?: string; readonly image_url?: { readonly url: string } }[];
  }[];
}

function trustBody(body: object): ChatBody {
  return body as ChatBody;
}

const TREE = /\ntree:\n(.*?)\n(?:skeleton:\n|dom:\n|\(\d+ more elements|<\/page>)/s;

function observationOf({ texts, pictures }: Shown): Observation {
  const text = texts.join('\n\n');
  const { nodes } = parseLines(TREE.exec(text)?.[1] ?? '');
  const id = (name: RegExp, role?: string): string => {
    const node = nodes.find(({ n, r }) => name.test(n) && (role === undefined || role === r));
    if (node !== undefined) return node.i;
    throw new Error(`Nothing is called ${name}: ${nodes.map(({ r, n }) => `${r} ${n}`).join(', ')}`);
  };
  return { text, last: texts.at(-1) ?? '', nodes, pictures, id };
}

type More = Omit<ModelAnswer, 'action' | 'element'>;

export const press =
  (name: RegExp, more: More = {}): Line =>
  ({ id }) => ({ action: 'click', element: id(name), ...more });

export const write =
  (name: RegExp, text: string, more: More = {}): Line =>
  ({ id }) => ({ action: 'setValue', element: id(name), text, ...more });

export const call =
  (tool: string, input: object, more: More = {}): Line =>
  () => ({ action: 'call', text: tool, json: JSON.stringify(input), ...more });

export const finish =
  (text: string, result?: unknown): Line =>
  () => ({ action: 'finish', text, ...(result !== undefined && { json: JSON.stringify(result) }) });
