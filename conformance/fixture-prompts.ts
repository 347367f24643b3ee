import type { Prompt, PromptMessage } from '@modelcontextprotocol/server';
import { PIXEL } from './fixture-media.ts';

const says = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });
const text = (words: string): PromptMessage => says({ type: 'text', text: words });
const needs = (...names: string[]) => names.map((name) => ({ name, required: true }));

export interface FixturePrompt {
  readonly asks?: Prompt['arguments'];
  readonly messages: (args: Readonly<Record<string, string>>) => readonly PromptMessage[];
}

export const FIXTURE_PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { messages: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    asks: needs('arg1', 'arg2'),
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    asks: needs('resourceUri'),
    messages: ({ resourceUri: uri = '' }) => [
      says({
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      }),
      text('Please process the embedded resource above.'),
    ],
  },
  test_input_required_result_prompt: { messages: () => [text('A prompt with the given context.')] },
  test_prompt_with_image: {
    messages: () => [
      says({ type: 'image', data: PIXEL, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  },
};
