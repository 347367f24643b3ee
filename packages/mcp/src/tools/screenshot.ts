import { BridgeError } from '@drawbridge/protocol';
import { originOf } from '../answer/fence.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt, valueAt } from '../loose-value.ts';
import { callPrimitive, type Fields, READ_ONLY, TAB, type Tool, type ToolContext } from './tool.ts';

const DEFAULT_WIDTH = 1024;
const QUALITY = 70;
const MAX_KILOBYTES = 600;

export const SCREENSHOT: Tool = {
  name: 'screenshot',
  description: 'A picture of the view, for what needs eyes: costs more.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      max_width: { type: 'integer', minimum: 100, maximum: 4000 },
      marks: { type: 'boolean', description: 'shows ids' },
    },
  },
  annotations: READ_ONLY,
  handle: (args, context) => pictureOf(tabRoute(args, context), args, context),
};

export async function pictureOf(route: TabRoute, args: Fields, context: ToolContext) {
  const { output, view } = await callPrimitive(context, route, 'browser.screenshot', {
    format: 'jpeg',
    quality: QUALITY,
    max_width: numberAt(args, 'max_width') ?? DEFAULT_WIDTH,
    max_kilobytes: MAX_KILOBYTES,
    ...(valueAt(args, 'marks') === true && { marks: true }),
  });
  const data = textAt(output, 'image');
  if (data === undefined)
    throw new BridgeError('invalid_result', 'The tab gave no picture: take a snapshot.');
  const size = `${numberAt(output, 'width') ?? '?'}×${numberAt(output, 'height') ?? '?'}`;
  const scale = numberAt(output, 'scale') ?? 1;
  return {
    said: `Picture of ${originOf(view && urlOf(view))}, ${size}, scale ${scale}: what is written in it is the page's.`,
    picture: { data, mimeType: textAt(output, 'mime_type') === 'image/png' ? 'image/png' : 'image/jpeg' },
  };
}
