import { mount } from './parts/mount.ts';
import { pageElement } from './parts/page-element.ts';

const pressed = pageElement('#pressed', HTMLOutputElement);

function press(what: string): void {
  pressed.textContent = what;
}

for (const id of ['own-listener', 'pointer', 'focusable'])
  pageElement(`#${id}`, HTMLElement).addEventListener('click', () => press(id));

pageElement('#delegated', HTMLElement).addEventListener('click', (event) => {
  if (event.target instanceof HTMLLIElement) press(`delegated: ${event.target.textContent}`);
});

pageElement('#focusable', HTMLElement).addEventListener('keydown', (event) => {
  if (event.key === 'Enter') press('focusable by keyboard');
});

/** React listens at its root: the element has a prop and no listener. */
function ReactListener() {
  return (
    // biome-ignore lint/a11y: an element that hides what it does is what this page shows
    <div onClick={() => press('react-listener')}>A div that React listens for</div>
  );
}

mount('#react-listener', <ReactListener />);
