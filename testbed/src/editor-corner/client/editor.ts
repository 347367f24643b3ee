import { EditorState as CodeState } from '@codemirror/state';
import { EditorView as CodeView } from '@codemirror/view';
import { pageElement } from '@drawbridge/demo-shop/page-element';
import { showToast } from '@drawbridge/demo-shop/toast';
import { registerRichText } from '@lexical/rich-text';
import { $getRoot, createEditor } from 'lexical';
import { buildMenuItems, exampleSetup } from 'prosemirror-example-setup';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';

const plain = pageElement('#plain', HTMLElement);
const plainText = pageElement('#plain-text', HTMLOutputElement);
plain.addEventListener('input', () => {
  plainText.textContent = plain.textContent;
});

const { inlineMenu, blockMenu } = buildMenuItems(schema);
const menuContent = [...inlineMenu, ...blockMenu];

/** The document is ProseMirror's model of the input, not the DOM. */
const view = new EditorView(pageElement('#rich', HTMLElement), {
  state: EditorState.create({ schema, plugins: exampleSetup({ schema, floatingMenu: false, menuContent }) }),
  attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': 'rich-name' },
});

pageElement('#save-review', HTMLButtonElement).addEventListener('click', () => {
  const { doc } = view.state;
  pageElement('#rich-text', HTMLOutputElement).textContent = doc.textBetween(0, doc.content.size, '\n');
  showToast('Review saved.');
});

const note = createEditor({ namespace: 'note', onError: (error) => showToast(error.message) });
note.setRootElement(pageElement('#note', HTMLElement));
registerRichText(note);
note.registerUpdateListener(({ editorState }) => {
  pageElement('#note-text', HTMLOutputElement).textContent = editorState.read(() =>
    $getRoot().getTextContent(),
  );
});

new CodeView({
  parent: pageElement('#recipe', HTMLElement),
  state: CodeState.create({
    extensions: [
      CodeView.contentAttributes.of({ 'aria-labelledby': 'recipe-name' }),
      CodeView.updateListener.of(({ state }) => {
        pageElement('#recipe-text', HTMLOutputElement).textContent = state.doc.toString();
      }),
    ],
  }),
});
