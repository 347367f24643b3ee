import { Options } from '../../options/options.tsx';
import { chromePorts } from '../../panel/chrome-ports.ts';
import { openPage } from '../../panel/open-page.tsx';

openPage(chromePorts(), ({ options }) => options.title, <Options />);
