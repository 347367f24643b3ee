import { chromePorts } from '../../panel/chrome-ports.ts';
import { openPage } from '../../panel/open-page.tsx';
import { Welcome } from '../../welcome/welcome.tsx';

openPage(chromePorts(), ({ welcome }) => welcome.title, <Welcome />);
