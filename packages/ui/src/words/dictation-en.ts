/** English words of dictation into a field. */
export const dictationEn = {
  button: 'Dictate',
  title: 'Speak instead of typing?',
  says: 'Your browser turns your speech into text, and may send the recording to its maker: Chrome to Google, Safari to Apple. Drawbridge gets the text alone.',
  begin: 'Start dictating',
  listens: 'Listening. Press the button again or Escape to end.',
  /** By the browser's code. */
  problems: {
    'not-allowed': 'This page may not use the microphone. Allow it in the browser’s settings for this site.',
    'service-not-allowed': 'This browser allows no dictation here. Use your keyboard’s own.',
    'audio-capture': 'No microphone was found. Connect one, and try again.',
    'no-speech': 'Nothing was heard. Try again.',
    network: 'The browser’s speech service did not answer. Try again, or type.',
    'language-not-supported': 'This browser takes no dictation in this language.',
    other: 'The dictation ended with an error. Try again, or type.',
  },
};
